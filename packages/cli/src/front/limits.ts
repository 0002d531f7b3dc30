/** A little above what a daemon takes or says in one message: what is too large is refused by it, not by us. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024
