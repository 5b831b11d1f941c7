/** A simple model of the tree: it finds a place by walking, and a count by counting. */
export class NaiveTeam {
  readonly members = new Map<number, NaiveMember>()
  readonly #invitedBy = new Map<number, number[]>()

  place(id: number, sponsor: number | null): void {
    const { parent, branch } = sponsor === null ? { parent: null, branch: null } : this.#firstOpenPlace(sponsor)
    this.members.set(id, { id, sponsor, parent, branch, below: [null, null, null], activated: false, paid: 0n })
    if (sponsor !== null) this.#invitedBy.set(sponsor, [...(this.#invitedBy.get(sponsor) ?? []), id])
    if (parent !== null && branch !== null) this.get(parent).below[branch - 1] = id
  }

  /** False if the member was activated before. */
  activate(id: number): boolean {
    const member = this.get(id)
    if (member.activated) return false
    member.activated = true
    return true
  }

  pay(id: number, amount: bigint): void {
    this.get(id).paid += amount
  }

  get(id: number): NaiveMember {
    const member = this.members.get(id)
    if (!member) throw new Error(`there is no member ${id}`)
    return member
  }

  /** The places below a member, layer by layer, from left to right; null for an open place. */
  *placesBelow(id: number): Generator<{ parent: number; branch: number; taken: number | null }> {
    let layer = [id]
    while (layer.length > 0) {
      const next: number[] = []
      for (const parent of layer)
        for (const [index, taken] of this.get(parent).below.entries()) {
          yield { parent, branch: index + 1, taken }
          if (taken !== null) next.push(taken)
        }
      layer = next
    }
  }

  /** The members of each of the five layers. */
  layersBelow(id: number): number[][] {
    const layers: number[][] = []
    let layer = [id]
    for (let depth = 1; depth <= 5; depth += 1) {
      layer = layer.flatMap((parent) => this.get(parent).below.filter((child) => child !== null))
      layers.push(layer)
    }
    return layers
  }

  /** Whether no member is missing in this many layers. */
  isFull(id: number, layers: number): boolean {
    let layer = [id]
    for (let depth = 1; depth <= layers; depth += 1) {
      const below = layer.flatMap((parent) => this.get(parent).below)
      if (below.includes(null)) return false
      layer = below.filter((child) => child !== null)
    }
    return true
  }

  /** What the database must store about a member. */
  expectedPlace(id: number): StoredPlace {
    const { parent, branch, below, activated } = this.get(id)
    const areas = below.map((head) => (head === null ? [] : [[head], ...this.layersBelow(head).slice(0, 4)]))
    const byLayer = (count: (members: readonly number[]) => number): number[] =>
      [0, 1, 2, 3, 4].flatMap((layer) => areas.map((area) => count(area[layer] ?? [])))
    const five = this.layersBelow(id).flat()
    const invited = this.#invitedBy.get(id) ?? []
    return {
      id,
      parent,
      branch,
      activated,
      effectiveInvites: invited.filter((member) => this.get(member).activated).length,
      headcounts: byLayer((members) => members.length),
      activatedCounts: byLayer((members) => members.filter((member) => this.get(member).activated).length),
      performance: five.reduce((sum, member) => sum + this.get(member).paid, 0n).toString(),
    }
  }

  #firstOpenPlace(sponsor: number): { parent: number; branch: number } {
    for (const place of this.placesBelow(sponsor)) if (place.taken === null) return place
    throw new Error('a tree always has an open place')
  }
}

type NaiveMember = {
  readonly id: number
  readonly sponsor: number | null
  readonly parent: number | null
  readonly branch: number | null
  readonly below: (number | null)[]
  activated: boolean
  paid: bigint
}

export type StoredPlace = {
  readonly id: number
  readonly parent: number | null
  readonly branch: number | null
  readonly activated: boolean
  readonly effectiveInvites: number
  readonly headcounts: readonly number[]
  readonly activatedCounts: readonly number[]
  readonly performance: string
}
