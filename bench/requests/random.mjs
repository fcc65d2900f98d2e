// Choices.

export const chance = (share) => Math.random() < share;
export const below = (n) => Math.floor(Math.random() * n);
export const any = (list) => list[below(list.length)];
