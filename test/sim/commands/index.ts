import type { Command } from '../world.ts'
import { coldStorageMoves } from './cold-storage.ts'
import { crashDatabase } from './crash-database.ts'
import { deposit } from './deposit.ts'
import { depositElsewhere } from './deposit-elsewhere.ts'
import { depositOfStranger } from './deposit-of-stranger.ts'
import { dropResponse } from './drop-response.ts'
import { fakeToken } from './fake-token.ts'
import { fund } from './fund.ts'
import { killAtFaultPoint } from './kill-at-fault-point.ts'
import { killApi, killWorker } from './kill-process.ts'
import { login } from './login.ts'
import { mine } from './mine.ts'
import { clockMoves } from './move-clock.ts'
import { ordersAtOnce } from './orders-at-once.ts'
import { pay } from './pay.ts'
import { plainAndDeposit } from './plain-and-deposit.ts'
import { plainTransfer } from './plain-transfer.ts'
import { readPages } from './read-pages.ts'
import { register } from './register.ts'
import { registerAsMoneyArrives } from './register-as-money-arrives.ts'
import { reorganise } from './reorganise.ts'
import { repeatSignature } from './repeat-signature.ts'
import { revertedDeposit } from './reverted-deposit.ts'
import { secondWorker } from './second-worker.ts'
import { cutLine, stopNode } from './stop-node.ts'
import { twoDepositsInABlock } from './two-deposits-in-a-block.ts'

/** Everything that can happen in a step. A new command is a file here and a line in this list. */
export const commands: readonly Command[] = [
  // what members do
  register,
  registerAsMoneyArrives,
  login,
  repeatSignature,
  dropResponse,
  readPages,
  ordersAtOnce,
  // what the chain brings
  deposit,
  depositOfStranger,
  plainTransfer,
  plainAndDeposit,
  twoDepositsInABlock,
  fakeToken,
  revertedDeposit,
  depositElsewhere,
  pay,
  fund,
  coldStorageMoves,
  mine,
  reorganise,
  // what goes wrong
  killApi,
  killWorker,
  killAtFaultPoint,
  secondWorker,
  crashDatabase,
  stopNode,
  cutLine,
  clockMoves,
]
