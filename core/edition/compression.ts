/** Makes stored bytes smaller; given by whoever runs the core. `expand` throws for bytes that `compress` did not make. */
export interface Compression {
  compress(bytes: Uint8Array): Uint8Array;
  expand(bytes: Uint8Array): Uint8Array;
}
