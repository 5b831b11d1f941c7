import type { ReactNode } from 'react'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import type { OrderFormSheetProps } from './OrderFormSheet.tsx'

/** `lazy` loses the type parameter of the form, so there is a cast. */
const OrderFormSheet = lazyComponent(async () => (await import('./OrderFormSheet.tsx')).OrderFormSheet) as <
  Terms extends object,
>(
  props: OrderFormSheetProps<Terms>,
) => ReactNode

/** The form of an order. It is loaded when it is opened, because it needs the code that reads the wallet. */
export const OrderForm = <Terms extends object>(props: OrderFormSheetProps<Terms>) => (
  <LazySheet onFailed={props.onClose}>
    <OrderFormSheet {...props} />
  </LazySheet>
)
