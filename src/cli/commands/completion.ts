import type { Command } from 'commander';
import { EXIT } from '../exit.ts';
import { terminal } from '../terminal.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `casefile completion SHELL`: the script that the shell loads; it asks `casefile complete` for words. */
export const completionCommand = async (shell: Shell): Promise<number> => {
  if (shell === 'bash') {
    terminal.answer(BASH_SCRIPT);
    return EXIT.fine;
  }
  const { script } = await import('@bomb.sh/tab');
  script(shell, 'casefile', 'casefile');
  return EXIT.fine;
};

/**
 * Ours, since the library's evaluates the line that is being typed: pressing TAB behind `$(…)` or
 * `> file` would run the one and overwrite the other. Where nothing of ours fits, file names do.
 */
const BASH_SCRIPT = `# bash completion for casefile
_casefile_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" said word
  said="$(casefile complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" || return
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ -n "$word" && "$word" != :* && "$word" == "$current"* ]] && COMPREPLY+=("$word")
  done <<< "$said"
}
complete -o default -F _casefile_complete casefile`;

/**
 * `casefile complete -- WORDS`: what may stand next, for the script. The library describes a whole
 * programme and adds commands of its own to it, so it gets one that holds ours.
 */
export const completeCommand = async (
  programme: Command,
  words: readonly string[],
): Promise<number> => {
  const { default: describe } = await import('@bomb.sh/tab/commander');
  const twin = programme.createCommand(programme.name());
  const own = ['complete', 'completion'];
  for (const command of programme.commands) {
    if (!own.includes(command.name())) twin.addCommand(command);
  }
  const described = describe(twin, { completionCommandName: 'completion' });
  // In place of the library's, which knows a shell that we do not offer.
  described
    .command('completion', 'print the script that completes commands and flags in a shell')
    .argument('shell', (complete) => {
      for (const shell of SHELLS) complete(shell, '');
    });
  described.parse([...words]);
  return EXIT.fine;
};
