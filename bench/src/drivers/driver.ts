/** A process that makes calls one way: its CPU, its heap and its compiled code are its own. Commanded over IPC. */
import type { BatchRequest, DriverMessage, DriverSetup } from './driver-protocol.ts'
import { connect, MissingPackageError } from './echo-caller.ts'
import { runBatch } from './run-batch.ts'

const say = (message: DriverMessage): void => void process.send?.(message)

function sayFailure(error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  say({ type: 'failed', message, missing: error instanceof MissingPackageError })
}

// Written by `startDriver` in exactly this shape.
const setup = JSON.parse(process.argv[2] ?? '') as DriverSetup

try {
  const caller = await connect(setup)
  process.on('message', (request: BatchRequest) => {
    runBatch(caller.echo.bind(caller), request).then((result) => say({ type: 'ran', result }), sayFailure)
  })
  process.once('disconnect', () => {
    // An exit by itself would wait for sockets that are kept alive; the profile is written on exit.
    void caller.close().finally(() => process.exit(0))
  })
  say({ type: 'ready' })
} catch (error) {
  sayFailure(error)
  process.disconnect?.()
}
