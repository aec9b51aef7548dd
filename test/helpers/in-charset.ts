import type { Charset } from '../../src/pipeline/charset.ts';

/** The text as bytes, written by Node's own encoders and not by the code under test. */
export const inCharset = (text: string, charset: Charset): Uint8Array => {
  switch (charset) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'latin-1':
      return Buffer.from(text, 'latin1');
  }
};
