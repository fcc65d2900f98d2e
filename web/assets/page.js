// Everything works without this script; it makes some things come sooner.
"use strict";

// A report that is being made tells where it stands. Where that does not work, the page is loaded again after a while.
for (const notice of document.querySelectorAll("[data-events]")) {
  const events = new EventSource(notice.dataset.events);
  const state = notice.querySelector("[data-state]");
  events.addEventListener("status", (event) => {
    state.textContent = event.data === "running" ? "The page is being audited." : "The report waits for its turn.";
  });
  events.addEventListener("done", () => {
    events.close();
    location.replace(location.pathname);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(() => location.replace(location.pathname), 3000);
    }
  });
}

// A crawl that runs tells how far it has come. At its end its report takes the place of the page.
for (const panel of document.querySelectorAll("[data-crawl]")) {
  const events = new EventSource(panel.dataset.crawl);
  const state = panel.querySelector("[data-state]");
  const bar = panel.querySelector("progress");
  events.addEventListener("progress", (event) => {
    const now = JSON.parse(event.data);
    for (const count of panel.querySelectorAll("[data-count]")) {
      count.textContent = now[count.dataset.count];
    }
    bar.max = Math.max(1, Math.min(now.found, now.most));
    bar.value = now.done + now.failed;
    if (state.textContent !== now.state) {
      state.textContent = now.state;
    }
  });
  events.addEventListener("done", () => {
    events.close();
    location.replace(location.pathname);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(() => location.replace(location.pathname), 3000);
    }
  });
}

// A list with unfinished reports is loaded again, unless somebody is using a form on it, has filled one in or is looking elsewhere.
for (const list of document.querySelectorAll("[data-refresh]")) {
  setInterval(() => {
    const used = document.activeElement && document.activeElement.matches("input, select, textarea") ||
      [...document.querySelectorAll("input, textarea")].some((field) => field.value !== field.defaultValue);
    if (!document.hidden && !used) {
      location.reload();
    }
  }, Number(list.dataset.refresh) * 1000);
}

// Links can be copied where the browser lets us; elsewhere the field itself can.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// Commands can be copied with one click.
for (const command of document.querySelectorAll(".manual pre")) {
  if (!navigator.clipboard) {
    break;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code small";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  command.append(button);
}

// The password matters for one choice only.
for (const field of document.querySelectorAll(".only-password")) {
  const choice = field.closest("form").querySelector("[name=privacy]");
  const show = () => { field.hidden = choice.value !== "2"; };
  choice.addEventListener("change", show);
  show();
}
