/** Checks recorded histories of concurrent transactions for serializability. */
export { findAnomalies } from "./findAnomalies.ts"
export {
  type Anomaly,
  formatAnomaly,
  formatHistory,
  type ListOperation,
  type RecordedTransaction
} from "./History.ts"
