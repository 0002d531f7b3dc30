/** For the extension, which shows the same text in an editor. */
export { formatTrace } from './format-trace.ts'
export { readTrace } from './read-trace.ts'
