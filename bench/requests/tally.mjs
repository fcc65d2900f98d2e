// Counts answers, and keeps those that must not be.

const shownFaults = 20;
const enoughFaults = 1000; // a server that is gone fails a thousand requests a second
const shownText = 2000; // characters of each part of a fault

// hungUp is the status of a request that we broke off ourselves.
export const hungUp = 'hung up';

const noAnswer = 'no answer';

export class Tally {
  faults = []; // the first, to show
  faulty = 0;
  tables = new Map(); // generator -> operation -> status -> number
  unsent = 0;

  // answered counts an answer. The request is {generator, operation, method, path, headers, body}; its body may be a Buffer.
  answered(request, status, answer) {
    this.count(request, status);
    if (status >= 500) this.fault(request, `${status} ${answer}`);
  }

  // broken counts a request that got no answer.
  broken(request, error) {
    this.count(request, noAnswer);
    this.fault(request, `${error.code ?? ''} ${error.message}`);
  }

  // refused counts what the generator's own HTTP client would not send.
  refused() {
    this.unsent++;
  }

  count({generator, operation}, status) {
    const row = entry(entry(this.tables, generator), operation);
    row.set(status, (row.get(status) ?? 0) + 1);
  }

  fault(request, answer) {
    this.faulty++;
    if (this.faults.length >= shownFaults) return;
    const cut = (text) => text?.toString().slice(0, shownText);
    this.faults.push({...request, path: cut(request.path), body: cut(request.body), answer: cut(answer)});
  }

  wrong() {
    return this.faulty > 0;
  }

  // enough says that more requests would show nothing new.
  enough() {
    return this.faulty >= enoughFaults;
  }

  print(seconds) {
    const all = new Map();
    for (const [generator, rows] of this.tables) {
      printTable(generator, rows);
      for (const [status, n] of sums(rows)) all.set(status, (all.get(status) ?? 0) + n);
    }
    const total = [...all.values()].reduce((a, b) => a + b, 0);
    console.log(`${total} requests in ${seconds.toFixed(0)} s; ${this.unsent} more could not be sent.`);
    const failed = [...all].reduce((sum, [status, n]) => sum + (status >= 500 ? n : 0), 0);
    console.log(`${failed} answers of 500 or more, ${all.get(noAnswer) ?? 0} requests without an answer.`);
    for (const fault of this.faults) console.log(JSON.stringify(fault));
  }
}

// entry gives a map within a map, which is made when it is missing.
function entry(map, key) {
  if (!map.has(key)) map.set(key, new Map());
  return map.get(key);
}

// sums adds up the rows: status -> number.
function sums(rows) {
  const all = new Map();
  for (const row of rows.values()) for (const [status, n] of row) all.set(status, (all.get(status) ?? 0) + n);
  return all;
}

function printTable(title, rows) {
  const all = sums(rows);
  const statuses = [...all.keys()].sort();
  const line = ([name, row]) => [name, ...statuses.map((status) => row.get(status) ?? 0)];
  const lines = [[title, ...statuses], ...[...rows].sort().map(line), line(['all', all])];
  const widths = lines[0].map((_, i) => Math.max(...lines.map((cells) => String(cells[i]).length)));
  for (const cells of lines) {
    console.log(cells.map((cell, i) => (i ? String(cell).padStart(widths[i]) : cell.padEnd(widths[0]))).join('  '));
  }
  console.log();
}
