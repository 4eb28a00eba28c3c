/** Addresses of one of the mesh's networks; host bits are kept as written. */
export interface NetworkRange {
  readonly prefix: string;
  readonly length: number;
}
