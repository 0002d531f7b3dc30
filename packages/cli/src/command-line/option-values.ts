/** The options of one run. Reading one that the command does not declare is a bug in the command. */
export class OptionValues {
  readonly #values: ReadonlyMap<string, boolean | string | readonly string[]>

  constructor(values: ReadonlyMap<string, boolean | string | readonly string[]> = new Map()) {
    this.#values = values
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  list(name: string): readonly string[] {
    const value = this.#values.get(name)
    return Array.isArray(value) ? value : []
  }
}
