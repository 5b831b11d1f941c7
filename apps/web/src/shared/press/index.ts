export { createPresses, newKey, type Press, type Presses } from './presses.ts'
export { sendPress } from './send-press.ts'
export { LOOK_EVERY_MS, willNotCome } from './unheard.ts'
export { useAsk } from './use-ask.ts'
