import { readFileSync } from 'node:fs';

/** The version in package.json, which stands above both the sources and the built program. */
const versionOf = (folder: URL): string => {
  for (let here = folder; ; here = new URL('..', here)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', here), 'utf8')) as {
        readonly name?: string;
        readonly version: string;
      };
      if (name === 'casefile') return version;
    } catch (error) {
      if (here.pathname === '/') throw error;
    }
  }
};

export const TOOL_VERSION = versionOf(new URL('.', import.meta.url));
