/** Names of ciphers that are broken, and of the mode that shows what is equal. */
export const WEAK_CIPHER =
  /^(?:des|3des|desede|tripledes|rc2|rc4|arc4|arcfour|blowfish|bf)\b|\bdes3?\b|[-/_]ecb\b|^aes$/i;

/** Names of digests that are too fast, and broken besides. */
export const WEAK_HASH = /^(?:md[245]|sha-?1|ripemd(?:160)?)$/i;

/** Names of what a digest of passwords is made of. */
export const PASSWORD = /(?:passw(?:or)?d|passphrase|\bpwd\b|passwd)(?!_?reset)/i;

/** Names of what nobody may guess. */
export const TOKEN =
  /(?:^|[_.$@]|[a-z](?=[A-Z]))(?:(?:access|auth|api|csrf|reset|session|secret|refresh|login|verification|invite)?_?(?:tokens?|otp|passwords?|passcode|secret|session_?id|api_?key|nonce|salt))$/i;
