// Values for parameters and bodies: fitting ones, random ones of the described schema, and nasty ones.

import {createGenerator} from 'json-schema-faker';
import {any, below, chance} from './random.mjs';

const faker = createGenerator({seed: below(2 ** 31)}); // without a seed it would give the same values every time

const nastyTexts = [
  '', ' ', '\0', 'a\0b', '\r\n', '\u202e', '\ufeff', '\ufffd', 'ü', 'İ', 'ß', 'ſ', '👩‍👩‍👧', 'e\u0301', '\u{10ffff}', '%', '%zz',
  '%00', '%2e%2e', '..', '../..', '/', '//', '\\', '?', '#', ';', '&', '=', '+', '*', '"', "'", '`', '<script>', '${{x}}',
  '{{.}}', 'null', 'true', '[]', '{}', '0', '-0', '-1', '00', '1.0', '1e3', '1e999', 'NaN', '0x10', '９', '9'.repeat(300),
  '2147483648', '9223372036854775808', 'a'.repeat(101), 'ü'.repeat(129), 'a'.repeat(5000), '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

const nastyAddresses = [
  'http://', 'http:///', 'http://[::1', 'http://[fe80::1%25eth0]/', 'http://a:b@c/', 'http://127.2.3/', 'http://0x7f.1/',
  'http://127.1:99999/', 'http://a..b/', 'http://-a.example/', 'http://xn--/', 'http://xn--a/', 'http://ü.example/ü?ü#ü',
  'http://☃.example/', 'http://a.example:0/', 'http://a.example/%zz', 'http://a b/', 'HTTP:a.example', 'http:\\\\a.example\\b',
  '//a.example', 'file:///etc/passwd', 'javascript:alert(1)', 'http://' + 'a'.repeat(64) + '.example/',
  'http://' + 'a.'.repeat(130) + 'example/', 'http://a.example/' + 'a'.repeat(2048), 'http://a.example/' + 'ü'.repeat(400),
  'http://a.example/\ud800',
];

const nastyOthers = [null, true, false, 0, -1, 1.5, 1e308, [], {}, [[]], {a: {}}, ['a', 'b']];

export const nastyText = () => any(chance(0.2) ? nastyAddresses : nastyTexts);

// valueFor gives a value for a parameter of a path, or for a field of a body.
export async function valueFor(name, schema, world, path) {
  const fitting = world.fitting(name, path);
  if (fitting.length > 0 && chance(0.6)) return any(fitting);
  if (chance(0.2)) return nastyText();
  return random(schema);
}

// objectFor gives a body. Most are what the schema says but for a field or two.
export async function objectFor(schema, world) {
  if (chance(0.03)) return any([...nastyOthers, nastyText()]);
  const object = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const wanted = schema.required?.includes(name) ? 0.95 : 0.4;
    if (chance(wanted)) object[name] = chance(0.7) ? await plain(name, property, world) : await valueFor(name, property, world);
  }
  if (object.privacy !== 2 && chance(0.9)) delete object.password; // with it most bodies would be wrong for the same reason
  if (chance(0.03)) object[nastyText()] = any(nastyOthers);
  if (chance(0.05)) object[any(Object.keys(schema.properties))] = any(nastyOthers);
  return object;
}

async function plain(name, schema, world) {
  const fitting = world.fitting(name);
  return fitting.length > 0 ? any(fitting) : random(schema);
}

// random gives a value of a schema. The package cannot make one for every schema, which is no reason to stop.
async function random(schema) {
  try {
    return await faker.generate(schema);
  } catch {
    return nastyText();
  }
}
