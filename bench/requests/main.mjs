// Sends requests for so many seconds, generated from the server's own description, prints what came back, and exits with 1 when
// something of it is wrong.
//
//   SITEGRADE_KEY=... node main.mjs ADDRESS SECONDS

import {readDescription} from './description.mjs';
import {runOwn} from './own.mjs';
import {serveSite} from './site.mjs';
import {runStepCI} from './stepci.mjs';
import {Tally} from './tally.mjs';
import {World} from './world.mjs';

const [address, seconds] = process.argv.slice(2);
const key = process.env.SITEGRADE_KEY;
const stepCIShare = 1 / 3; // of the time: it is much slower than our own loop

const site = await serveSite();
const world = new World(site.addresses);
const tally = new Tally();
const run = {address, key, description: await readDescription(address), world, tally};

const start = Date.now();
const at = (share) => start + Number(seconds) * 1000 * share;
await runStepCI(run, at(stepCIShare));
await runOwn(run, at(1));
site.close();

tally.print((Date.now() - start) / 1000);
process.exit(tally.wrong() ? 1 : 0);
