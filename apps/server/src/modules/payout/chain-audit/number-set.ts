const BITS_PER_BYTE = 8n

/**
 * A set of row numbers. It uses one bit for each number up to the largest: 125 MB for a ledger of a billion
 * transactions. A `Set` has room for only 16 million.
 */
export class NumberSet {
  #bytes = new Uint8Array(1_024)

  add(number: bigint): void {
    const index = Number(number / BITS_PER_BYTE)
    if (index >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(index + 1, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[index] = (this.#bytes[index] ?? 0) | bitOf(number)
  }

  has(number: bigint): boolean {
    return ((this.#bytes[Number(number / BITS_PER_BYTE)] ?? 0) & bitOf(number)) !== 0
  }
}

const bitOf = (number: bigint): number => 1 << Number(number % BITS_PER_BYTE)
