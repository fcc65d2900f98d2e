// The first generator: Step CI makes a workflow of the description, with random values, and sends it; a new one each time.

import {EventEmitter} from 'node:events';
import {generateWorkflow} from '@stepci/plugin-openapi';
import {run as runWorkflow} from '@stepci/runner';
import {any, chance} from './random.mjs';

const generator = 'Step CI';
const loops = 3; // each with a connection for every tag of the description

const options = {generator: {inlineSchema: false}};

// runStepCI sends workflows until a time.
export async function runStepCI(run, end) {
  await Promise.all(Array.from({length: loops}, () => loop(run, end)));
}

async function loop(run, end) {
  while (Date.now() < end && !run.tally.enough()) {
    const variant = describe(run);
    const workflow = await generateWorkflow(variant, options);
    workflow.config.continueOnFail = true;
    for (const step of steps(workflow)) step.http.auth = {bearer: {token: run.key}};
    await runWorkflow(workflow, {ee: observer(run, workflow)});
  }
}

const steps = (workflow) => Object.values(workflow.tests).flatMap((test) => test.steps);

// describe gives a description that Step CI understands, and that differs from time to time. Step CI ignores the parameters of a
// path, takes examples instead of random values, cannot leave out single parameters, and mixes up bodies of two types. The answers
// are left out: what Step CI says of them is true for examples only, and the tally judges them.
function describe({description, world}) {
  const paths = {};
  for (const operation of description.operations) {
    if (!chance(operation.share)) continue;
    paths[operation.path] ??= {};
    paths[operation.path][operation.method] = {
      operationId: operation.method.toUpperCase() + ' ' + operation.path,
      tags: operation.tags,
      parameters: operation.parameters.filter((p) => p.required || chance(0.5)).map((p) => parameter(p, world)),
      requestBody: body(operation, world),
    };
  }
  const {openapi, info, tags} = description.document;
  return {openapi, info, tags, paths, servers: [{url: description.base.href}]};
}

function parameter({name, in: place, required, schema}, world) {
  const encode = place === 'path' ? encodeURIComponent : (value) => value;
  return {name, in: place, required, schema: narrowed(name, schema, world, encode)};
}

function body({bodies}, world) {
  const types = Object.keys(bodies);
  if (types.length === 0) return undefined;
  const type = any(types);
  const {schema} = bodies[type];
  const names = Object.keys(schema.properties).filter((name) => name !== 'password' || chance(0.3)); // it is wrong in most bodies
  const properties = Object.fromEntries(names.map((name) => [name, narrowed(name, schema.properties[name], world)]));
  return {required: true, content: {[type]: {schema: {...schema, properties}}}};
}

// narrowed gives a schema with values that fit, if there are some, or else the described one without its default.
function narrowed(name, schema, world, encode = (value) => value) {
  const fitting = world.fitting(name);
  if (fitting.length > 0 && chance(0.7)) return {enum: fitting.map(encode)};
  const {default: _, ...rest} = schema;
  return rest;
}

// observer reports to the tally what Step CI sends and gets.
function observer({tally, world}, workflow) {
  const ee = new EventEmitter();
  const sent = new Map(steps(workflow).map((step) => [step.id, step.http]));
  ee.on('step:result', ({id, request, response, errored, errorMessage}) => {
    const [method] = id.split(' ');
    const {url, headers, json, form} = sent.get(id);
    const seen = {generator, operation: id, method, path: url, headers, body: JSON.stringify(json ?? form)};
    if (response) {
      tally.answered({...seen, path: request.url, body: request.body}, response.status, response.body);
      world.learn(new URL(request.url).pathname, response.status, response.headers, response.body);
    } else if (errored && isRefusal(errorMessage)) {
      tally.refused();
    } else {
      tally.broken(seen, new Error(errorMessage));
    }
  });
  return ee;
}

// isRefusal tells what Step CI's HTTP client does not send from what was sent in vain.
const isRefusal = (message) => /^(Invalid (URL|character)|URI malformed|Request path contains)/.test(message);
