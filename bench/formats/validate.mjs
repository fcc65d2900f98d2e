// Holds the expected reports of the command line's tests against the schemas of others.
//
//   node validate.mjs SARIF_SCHEMA JUNIT_SCHEMA DIRECTORY

import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {validateXML} from 'xmllint-wasm';

const [sarifSchema, junitSchema, directory] = process.argv.slice(2);
const ajv = new Ajv({allErrors: true, strict: false});
addFormats(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(sarifSchema, 'utf8')));

async function faultsOf(name, text) {
  if (name.endsWith('.sarif')) {
    return validate(JSON.parse(text)) ? [] : validate.errors.map((e) => `${e.instancePath} ${e.message}`);
  }
  const result = await validateXML({xml: [{fileName: name, contents: text}], schema: [readFileSync(junitSchema, 'utf8')]});
  return result.errors.map((e) => e.message);
}

// A file that is wrong has to be found wrong, or the schema holds nothing.
for (const [name, text] of [['wrong.sarif', '{"version": "2.1.0", "runs": [{}]}'], ['wrong.junit', '<testsuites><testsuite/></testsuites>']]) {
  if ((await faultsOf(name, text)).length === 0) throw new Error(`the schema finds nothing wrong with ${name}`);
}
let looked = 0;
for (const name of readdirSync(directory).filter((name) => /\.(sarif|junit)$/.test(name))) {
  looked++;
  const faults = await faultsOf(name, readFileSync(join(directory, name), 'utf8'));
  console.log(`${name}: ${faults.length === 0 ? 'valid' : faults.join('\n  ')}`);
  if (faults.length > 0) process.exitCode = 1;
}
if (looked === 0) throw new Error(`${directory} has no reports`);
