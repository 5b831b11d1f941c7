import { storage } from '../../shared/session/index.ts'
import { createIntents } from './intent.ts'

export const intents = createIntents(storage, () => Date.now())
