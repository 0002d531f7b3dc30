export { createCommandDocument } from './help/command-document.ts'
export type { InputStream, Interruption, InterruptSignal, Io, OutputStream } from './io.ts'
export { main } from './main.ts'
