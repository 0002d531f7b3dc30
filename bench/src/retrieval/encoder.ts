/** Whatever speaks OpenAI's `/v1/embeddings`, named by the environment: BENCH_ENCODER_URL, BENCH_ENCODER_MODEL, BENCH_ENCODER_KEY. */
export interface BenchEncoder {
  readonly model: string
  encode(texts: readonly string[]): Promise<Float32Array[]>
}

const BATCH = 64
/** Characters: what stands further down no model reads. */
const MAX_TEXT = 8_000

export function findEncoder(environment: NodeJS.ProcessEnv = process.env): BenchEncoder | undefined {
  const { BENCH_ENCODER_URL: url, BENCH_ENCODER_MODEL: model = 'default', BENCH_ENCODER_KEY: key } = environment
  if (url === undefined || url === '') return undefined
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
  const encodeBatch = async (input: readonly string[]): Promise<Float32Array[]> => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ model, input }) })
    if (!response.ok) throw new Error(`The encoder answered ${response.status}: ${await response.text()}`)
    // The format of every such server; what is missing fails the run.
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] }
    return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding))
  }
  return {
    model,
    async encode(texts) {
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...(await encodeBatch(texts.slice(at, at + BATCH).map((text) => text.slice(0, MAX_TEXT)))))
      }
      return vectors
    },
  }
}
