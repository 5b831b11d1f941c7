export { askUntilKnown, type Outcome, waitOrOnline } from './ask-until-known.ts'
export { createPresses, newKey } from './presses.ts'
export { sendPress } from './send-press.ts'
