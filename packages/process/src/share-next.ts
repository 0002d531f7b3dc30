/**
 * One run for all who ask at the same time. Whoever asks while one is under way gets the next: what is told has been looked at
 * after it was asked for.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = (): Promise<T> => {
    const started = run().finally(() => {
      if (current === started) current = undefined
    })
    current = started
    return started
  }
  return () => {
    if (current === undefined) return start()
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
