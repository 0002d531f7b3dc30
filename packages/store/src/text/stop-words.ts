/** Words that tell nothing of what somebody looks for. They are left out of queries only: a text keeps all of its words. */
const WORDS = `a about again all am an and any are as at be been being both but by can could did do does each few for from
further had has have he her here his how i if in into is it its just me more most my no not now of on once only or other our
over own same she should so some such than that the their them then there these they this to too under very was we were what
when where which who whom why will with would you your`

export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/))
