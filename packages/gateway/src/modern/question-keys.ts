import { type AskRequest, isJsonObject } from '@switchboard/protocol'

const MAX_KEY = 64
const MAX_FIELDS = 3

/**
 * The modern era gives every question a key, the legacy era none. Ours say what is asked, and of whom, so that whoever reads
 * the questions of a call, a person or a model, can tell them apart. No key is given twice.
 */
export class QuestionKeys {
  readonly #turns = new Map<string, number>()

  create(request: AskRequest): string {
    const name = nameOf(request)
      .replace(/[^A-Za-z0-9_.-]/g, '_')
      .slice(0, MAX_KEY)
    const turn = (this.#turns.get(name) ?? 0) + 1
    this.#turns.set(name, turn)
    if (turn === 1) return name
    // Its own name may end like that of another's second turn.
    const key = `${name}_${turn}`
    if (this.#turns.has(key)) return this.create(request)
    this.#turns.set(key, 1)
    return key
  }
}

function nameOf({ method, params = {} }: AskRequest): string {
  switch (method) {
    case 'elicitation/create': {
      const { requestedSchema, mode } = params
      const properties = isJsonObject(requestedSchema) ? requestedSchema.properties : undefined
      const fields = isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_FIELDS) : []
      return ['user', ...(fields.length > 0 ? fields : [mode === 'url' ? 'visit' : 'answer'])].join('_')
    }
    case 'sampling/createMessage':
      return 'model_answer'
    case 'roots/list':
      return 'client_roots'
    default:
      return 'answer'
  }
}
