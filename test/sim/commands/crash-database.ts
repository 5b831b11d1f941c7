import type { Command } from '../world.ts'

export const crashDatabase: Command = {
  name: 'crash the database',
  weight: 3,
  async run({ stack }, random) {
    const how = random.pick(['killed', 'immediate shutdown'] as const)
    await stack.database.crash(how)
    return `PostgreSQL is ended (${how}) and started again`
  },
}
