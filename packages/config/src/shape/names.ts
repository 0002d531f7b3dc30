/** What servers, queues, profiles and modes may be called. */
export const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'
export const NAME_EXPECTED = 'a name of at most 64 letters, digits, "_", "." or "-", beginning with a letter or digit'
