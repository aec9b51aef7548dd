import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { propertyOf } from '../syntax/javascript.ts';

export const javascriptOpenWindow: NodeRule = {
  ...SECURITY,
  id: 'javascript-open-window',
  category: 'electron-isolation',
  severity: 'high',
  confidence: 'high',
  message:
    'Scripts of the pages in this window reach Node or the files: one hostile page is enough.',
  help: 'Leave contextIsolation and webSecurity on, and nodeIntegration off.',
  language: 'javascript',
  looksAt: 'nodes',
  kinds: ['pair'],
  mentions: ['webPreferences'],
  judge: (node) => {
    if (node.field('key')?.text() !== 'webPreferences') return undefined;
    const preferences = node.field('value') ?? undefined;
    const isOpen =
      propertyOf(preferences, 'nodeIntegration')?.text() === 'true' ||
      propertyOf(preferences, 'contextIsolation')?.text() === 'false' ||
      propertyOf(preferences, 'webSecurity')?.text() === 'false';
    return isOpen ? 'defect' : undefined;
  },
};
