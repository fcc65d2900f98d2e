// Everything works without this script; it makes some things come sooner.
"use strict";

// What it says, in the language of the page.
const words = document.currentScript.dataset;

// inUse reports whether somebody is using a form, or has filled one in: then nothing may take the page away.
function inUse() {
  return document.activeElement && document.activeElement.matches("input, select, textarea") ||
    [...document.querySelectorAll("input:not([type=checkbox]), textarea")].some((field) => field.value !== field.defaultValue);
}

// showNew shows the page anew, or offers to where that would take away what somebody is writing.
function showNew(state) {
  if (!inUse()) {
    location.reload();
    return;
  }
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = words.show;
  state.replaceChildren(state.dataset.ready || words.ready, " ", link);
}

// localise shows times in the zone of the reader, and in UTC to who points at them.
function localise(root) {
  for (const time of root.querySelectorAll("time[data-moment]")) {
    time.title = time.textContent;
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }
}
localise(document);

// A report that is being made tells where it stands. Where that does not work, the page is loaded again after a while.
for (const notice of document.querySelectorAll("[data-events]")) {
  const events = new EventSource(notice.dataset.events);
  const state = notice.querySelector("[data-state]");
  events.addEventListener("status", (event) => {
    state.textContent = event.data === "running" ? words.running : words.queued;
  });
  events.addEventListener("done", () => {
    events.close();
    showNew(state);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(() => location.replace(location.pathname + location.search), 3000);
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
      count.textContent = now[count.dataset.count].toLocaleString(document.documentElement.lang);
    }
    bar.max = Math.max(1, Math.min(now.found, now.most));
    bar.value = now.done + now.failed;
    if (state.textContent !== now.state) {
      state.textContent = now.state;
    }
  });
  events.addEventListener("done", () => {
    events.close();
    showNew(state);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(() => location.replace(location.pathname + location.search), 3000);
    }
  });
}

// A page that waits for something of which no events come is loaded again.
for (const notice of document.querySelectorAll("p[data-refresh]")) {
  setInterval(() => {
    if (!document.hidden && !inUse()) {
      location.reload();
    }
  }, Number(notice.dataset.refresh) * 1000);
}

// The rows of a list with unfinished reports take the place of the old ones, but for the row that has the focus. Ticks stay.
function renewRows(list, fresh) {
  const key = (row) => row.querySelector("a").href;
  const known = new Map([...list.children].map((row) => [key(row), row]));
  const rows = [...fresh.children].map((row) => {
    const old = known.get(key(row));
    if (old && (old.isEqualNode(row) || old.contains(document.activeElement))) {
      return old;
    }
    const tick = row.querySelector("input[type=checkbox]");
    if (old && tick) {
      tick.checked = old.querySelector("input[type=checkbox]").checked;
    }
    return row;
  });
  if (list.contains(document.activeElement)) { // which would lose the focus by being moved
    for (const row of rows) {
      const old = known.get(key(row));
      if (old && old !== row) {
        old.replaceWith(row);
      }
    }
    return;
  }
  list.replaceChildren(...rows);
}
for (const list of document.querySelectorAll("ul[data-refresh]")) {
  const timer = setInterval(() => {
    if (document.hidden) {
      return;
    }
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.addEventListener("load", () => {
      const fresh = request.status === 200 && request.response.querySelector("ul.rows");
      if (!fresh) {
        return;
      }
      document.querySelector(".batch")?.replaceChildren(...request.response.querySelector(".batch").childNodes);
      localise(fresh);
      renewRows(list, fresh);
      if (!fresh.dataset.refresh) {
        clearInterval(timer);
      }
    });
    request.send();
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
      button.textContent = words.copied;
    } catch {
      button.textContent = document.execCommand("copy") ? words.copied : words.press;
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
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command.querySelector("code").textContent);
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  command.append(button);
}

// A page can be printed, and so saved as a PDF.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// The password matters for one choice only.
for (const field of document.querySelectorAll(".only-password")) {
  const choice = field.closest("form").querySelector("[name=privacy]");
  const show = () => { field.hidden = choice.value !== "2"; };
  choice.addEventListener("change", show);
  show();
}
