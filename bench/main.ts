import { measurePackets } from './packets.ts';
for (const n of [100, 100, 1000, 100, 1000, 10_000, 100, 10_000]) { const t = performance.now(); console.log(await measurePackets(n), performance.now() - t); }
