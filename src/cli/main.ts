#!/usr/bin/env node
/**
 * The door. It loads nothing before it knows what is asked: `--version` answers at once, and each
 * command brings its own modules.
 */
const asked = process.argv.slice(2);
if (asked.length === 1 && (asked[0] === '--version' || asked[0] === '-V')) {
  const { TOOL_VERSION } = await import('./version.ts');
  process.stdout.write(`${TOOL_VERSION}\n`);
} else {
  const { runProgramme } = await import('./program.ts');
  await runProgramme(asked);
}
