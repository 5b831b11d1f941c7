import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

/** The chain that the pool lives on, which does not change while the page is open. */
export const useChain = () => useQuery({ ...read('pool/chain', {}), staleTime: Number.POSITIVE_INFINITY })
