import { Option } from 'commander';

export const sessionConfigOption = (): Option =>
  new Option(
    '--session-config <file>',
    "the predecessor's session-config.json, as your own settings",
  );
