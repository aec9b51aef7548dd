import { packetFigures } from './packet-figures.ts';
import { planTree } from './plan-tree.ts';

/**
 * A process of its own for one plan, since a process's largest memory cannot be measured twice.
 *
 *     node plan-once.js DIR
 *
 * prints one JSON object: the CPU time of the plan on all threads, the largest memory, and what its
 * packets come to.
 */
const [folder = '.'] = process.argv.slice(2);
const before = process.cpuUsage();
const tree = await planTree(folder);
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1000;
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ cpuMs, peakBytes, figures: packetFigures(tree) }));
