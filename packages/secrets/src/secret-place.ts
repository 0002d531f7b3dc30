/** Where a secret goes that is kept now. */
export interface SecretPlace {
  readonly kind: 'keychain' | 'file'
  /** For a person: "files of …, sealed with a key in the keychain (Secret Service)". */
  readonly text: string
}
