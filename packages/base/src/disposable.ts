/** What a subscription gives back: whoever made it ends it. */
export interface Disposable {
  dispose(): void
}
