// The second generator: requests with the values of values.mjs, and with faults that a client following the description would not make.

import {Agent, request as httpRequest} from 'node:http';
import {any, below, chance} from './random.mjs';
import {hungUp} from './tally.mjs';
import {nastyText, objectFor, valueFor} from './values.mjs';

const generator = 'our own loop';
const connections = 24; // many of them wait for a report
const patience = 60_000; // ms; a request without an answer by then has none
const maxHeaderSize = 1 << 20; // bytes; the Link header of a list repeats a long query four times

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const oddTypes = [
  undefined, '', 'text/plain', 'application/xml', 'application/json; charset=utf-16', 'APPLICATION/JSON;',
  'application/json, text/plain', 'application/ld+json', 'application/x-www-form-urlencoded; charset=latin1',
  'multipart/form-data', 'multipart/form-data; boundary=a', ';', '/', 'a'.repeat(1000),
];

const oddHeaders = [
  ['Accept', 'text/html;q=0'], ['Accept-Encoding', 'br;q=1, *;q=0'], ['Range', 'bytes=0-1'], ['Content-Encoding', 'gzip'],
  ['Origin', 'null'], ['Access-Control-Request-Method', 'PUT'], ['X-Request-Id', 'ü\t"'], ['X-Forwarded-For', '::1, a'],
  ['Forwarded', 'for=";'], ['Cookie', '=;=;a'], ['If-Modified-Since', 'yesterday'], ['If-Match', ''], ['If-None-Match', '"'],
  ['Host', 'a.example:x'], ['Host', '"'], ['Connection', 'close, te'], ['X-HTTP-Method-Override', 'DELETE'], ['Upgrade', 'h2c'],
  ['Prefer', 'wait="1'], ['Idempotency-Key', 'a b'],
];

const oddKeys = [
  undefined, '', 'Bearer', 'Bearer ', 'Bearer sg_', 'Basic YTpi', 'bearer sg_' + 'a'.repeat(33), 'Bearer ' + 'sg_'.repeat(1000),
];

const oddPaths = [
  (path) => path + '/',
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1', '/v1/.'),
  () => '/api/v1//' + inAddress(nastyText()),
];

const oddBodies = [
  '', '{', '[]', 'null', '"', '{"url":1,"url":2}', '{"url":"\\ud800"}', '{"privacy":1e999}', '[{'.repeat(10_000),
  '{"a":'.repeat(20_000), '\ufeff{}', '{}{}', 'url=%zz', 'url', '&&&=', 'url=a&url=b', 'a='.repeat(1000), 'a'.repeat(70_000),
  Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('{"url":"\xff"}', 'latin1'),
];

// runOwn sends requests until a time.
export async function runOwn(run, end) {
  const agent = new Agent({keepAlive: true, maxSockets: connections});
  await Promise.all(Array.from({length: connections}, () => loop({...run, agent}, end)));
  agent.destroy();
}

async function loop(run, end) {
  while (Date.now() < end && !run.tally.enough()) {
    const operation = any(run.description.operations);
    if (!chance(operation.share)) continue;
    const request = await requestOf(operation, run);
    const copies = chance(0.03) ? 2 : 1; // at the same time, as by a client that is in a hurry
    await Promise.all(Array.from({length: copies}, () => send(run, request)));
  }
}

// requestOf gives a request of an operation: {generator, operation, method, path, headers, body}.
async function requestOf({method, path, parameters, bodies}, {key, description, world}) {
  const request = {generator, operation: `${method.toUpperCase()} ${path}`, method: method.toUpperCase()};
  request.headers = {Authorization: 'Bearer ' + key};
  const query = [];
  path = description.base.pathname + path;
  for (const {name, in: place, required, schema} of parameters) {
    if (!required && chance(0.5)) continue;
    const value = await valueFor(name, schema, world, path);
    if (place === 'path') path = path.replace(`{${name}}`, () => inAddress(value));
    if (place === 'query') query.push([name, value]);
    if (place === 'header') request.headers[name] = inHeader(value);
  }
  request.path = path + queryText(query);
  const types = Object.keys(bodies);
  if (types.length > 0) {
    const type = any(types);
    request.headers['Content-Type'] = type;
    request.body = encoded(type, await objectFor(bodies[type].schema, world));
  }
  spoil(request);
  return request;
}

// spoil makes one thing of some requests wrong.
function spoil(request) {
  if (chance(0.04)) {
    request.method = any(allMethods);
    request.operation = 'any method';
  }
  if (chance(0.03)) request.headers.Authorization = any(oddKeys);
  if (chance(0.05)) setOdd(request.headers, any(oddHeaders));
  if (chance(0.02)) request.path = any(oddPaths)(request.path);
  if (request.body === undefined ? chance(0.01) : chance(0.05)) request.body = any(oddBodies);
  if (request.body === undefined) return;
  if (chance(0.05)) request.headers['Content-Type'] = any(oddTypes);
  if (chance(0.05)) request.body = request.body.slice(0, below(request.body.length));
}

function setOdd(headers, [name, value]) {
  headers[name] = value;
}

// queryText repeats a parameter now and then, adds unknown ones, and leaves some unescaped.
function queryText(pairs) {
  if (pairs.length > 0 && chance(0.03)) pairs.push(any(pairs));
  if (chance(0.05)) pairs.push([nastyText(), nastyText()]);
  return pairs.length === 0 ? '' : '?' + pairs.map(([name, value]) => inAddress(name) + '=' + inAddress(value)).join('&');
}

// inAddress escapes a value, but not always. The client sends no spaces and no other letters than those of Latin-1.
function inAddress(value) {
  const text = String(value).toWellFormed();
  return chance(0.1) ? text.replace(/[^!-ÿ]/g, '') : encodeURIComponent(text);
}

// inHeader leaves out what the client does not send.
function inHeader(value) {
  return String(value).replace(/[^\t -~\x80-ÿ]/g, '');
}

function encoded(type, value) {
  if (type === 'application/json') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return new URLSearchParams(Object.entries(value).map(([name, field]) => [name, String(field)])).toString();
}

// send sends a request and waits for the answer. A few hang up before they have sent or got everything.
async function send({address, agent, world, tally}, sent) {
  const hangsUp = chance(0.005);
  const {hostname, port} = new URL(address);
  const options = {hostname, port, path: sent.path, method: sent.method, timeout: patience, maxHeaderSize, agent};
  options.headers = Object.fromEntries(Object.entries(sent.headers).filter(([, value]) => value !== undefined));
  const body = sent.body === undefined ? undefined : Buffer.from(sent.body);
  if (body) options.headers['Content-Length'] = body.length;
  if (hangsUp) options.agent = false; // the others must not share a connection that is out of step
  if (hangsUp && body) options.headers['Content-Length'] += 10;
  try {
    const {status, headers, text} = await exchange(options, body, hangsUp);
    tally.answered(sent, status, text);
    world.learn(sent.path, status, headers, text);
  } catch (error) {
    if (refusals.has(error.code)) tally.refused();
    else if (hangsUp) tally.count(sent, hungUp);
    else tally.broken(sent, error);
  }
}

// refusals are the errors of a client that does not send what it is told to.
const refusals = new Set(['ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_HTTP_INVALID_HEADER_VALUE']);

function exchange(options, body, hangsUp) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(options);
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('response', (response) => {
      const {statusCode: status, headers} = response;
      // To what is no HTTP at all net/http answers with a body even after HEAD, which the client takes for a fault of the connection.
      if (options.method === 'HEAD') resolve({status, headers, text: ''});
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({status, headers, text: Buffer.concat(parts).toString()}));
    });
    request.end(body);
    if (hangsUp) setTimeout(() => request.destroy(new Error('hung up')), below(20));
  });
}
