/** Text of one line in which nothing acts or hides: what `printable` gives, and a terminal may show. */
export const ONE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+$/u;
