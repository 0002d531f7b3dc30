import { describe, expect, it } from 'vitest'
import { RESTART_GRACES, STOP_GRACES } from '../src/stop-process-tree.ts'

describe('the graces of the kill ladder', () => {
  it('give a server that is stopped 2 s after the end of its input and 2 s after SIGTERM', () => {
    expect(STOP_GRACES).toEqual({ input: 2000, terminate: 2000 })
  })

  it('give a server that is replaced 1 s after SIGTERM, which it gets at once', () => {
    expect(RESTART_GRACES).toEqual({ input: 0, terminate: 1000 })
  })
})
