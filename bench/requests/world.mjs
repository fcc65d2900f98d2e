// What the generators have learnt from answers, so that later requests meet what is there: random ids would only ever get 404.

import {randomUUID} from 'node:crypto';
import {any, below, chance} from './random.mjs';

const kept = 200; // of each kind; the oldest are forgotten

export class World {
  reports = [];
  projects = [];
  tags = new Map(); // path -> entity tag

  constructor(addresses) {
    this.addresses = addresses;
  }

  // learn keeps the ids, names and tags of an answer, and forgets what is not there any more.
  learn(path, status, headers, body) {
    if (status === 404) this.forget(path);
    if (status >= 300) return;
    if (headers.etag) this.keepTag(path, headers.etag);
    const {data} = parsed(body);
    if (!data?.project) return;
    keep(this.reports, data.id);
    keep(this.projects, any([data.project.id, data.project.name]));
  }

  keepTag(path, tag) {
    this.tags.delete(path); // so that it stands at the end
    this.tags.set(path, tag);
    if (this.tags.size > kept) this.tags.delete(this.tags.keys().next().value);
  }

  forget(path) {
    this.tags.delete(path);
    const isThere = (value) => !path.includes('/' + encodeURIComponent(value));
    this.reports = this.reports.filter(isThere);
    this.projects = this.projects.filter(isThere);
  }

  // page gives an address to audit. The query makes it a report of its own in most cases.
  page() {
    return any(this.addresses) + (chance(0.8) ? '?' + below(1000) : '');
  }

  // fitting gives values that a parameter of a path accepts, or a field of a body; none where anything will do.
  fitting(name, path) {
    switch (name) {
      case 'id': return this.reports;
      case 'project': return this.projects;
      case 'url': return [this.page()];
      case 'page': return [1, 2, 3, 10];
      case 'search': return ['127.0.0.1', 'OO', '?1', ...this.projects.slice(0, 3)];
      case 'If-Match':
      case 'If-None-Match': return this.fittingTags(path);
      case 'Idempotency-Key': return chance(0.2) ? ['one', 'two', 'three'] : [randomUUID()];
      case 'Prefer': return ['respond-async', 'wait=0', 'wait=1', 'wait=2, respond-async', 'handling=lenient'];
      default: return [];
    }
  }

  fittingTags(path) {
    if (this.tags.has(path) && chance(0.7)) return [this.tags.get(path)];
    return ['*', '"none"', 'W/"1-0123456789abcdef"', ...this.tags.values()];
  }
}

function keep(list, value) {
  list.push(value);
  if (list.length > kept) list.shift();
}

function parsed(body) {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {}; // HEAD and 204 have no body
  }
}
