// Reads what the suite wrote about a revision, prints what passed and why the rest did not, and exits with 1 when something failed for no known
// reason, or when something known does not fail any more.
//
//   node judge.mjs REVISION DIRECTORY

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {known} from './known.mjs';

const [revision, directory] = process.argv.slice(2);
const checks = readdirSync(directory, {recursive: true})
  .filter((name) => name.endsWith('checks.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
const passed = checks.filter((check) => check.status === 'SUCCESS');
const failed = checks.filter((check) => check.status === 'FAILURE');
const reasonOf = (check) => known.find(({checks, says}) => checks.includes(check.id) && says.test(check.errorMessage ?? ''));

console.log(`${revision}: ${passed.length} passed, ${failed.length} failed`);
for (const entry of known) {
  const ids = failed.filter((check) => reasonOf(check) === entry).map((check) => check.id);
  if (ids.length > 0) console.log(`  ${ids.length} because ${entry.reason}:\n    ${ids.join(' ')}`);
}
const wrong = [
  ...failed.filter((check) => !reasonOf(check)).map((check) => `${check.id} failed: ${check.errorMessage}`),
  ...passed.filter((check) => known.some(({checks}) => checks.includes(check.id))).map((check) => `${check.id} passes, and is known to fail`),
];
if (passed.length === 0) wrong.push('nothing passed');
for (const line of wrong) console.log('WRONG: ' + line);
process.exit(wrong.length > 0 ? 1 : 0);
