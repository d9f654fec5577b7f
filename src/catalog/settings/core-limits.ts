import { boolean, number } from "./readings.ts";
import { text } from "./text.ts";

/** How much core does, how long it waits, and which parts of it run. */
export const CORE_LIMITS = {
  "core.rateLimit": number("RATE_LIMIT_PER_WINDOW", "Messages of one person within RATE_LIMIT_WINDOW_MS", {
    default: "60",
  }),
  "core.rateWindow": number("RATE_LIMIT_WINDOW_MS", "Length of the window of RATE_LIMIT_PER_WINDOW in milliseconds", {
    default: "60000",
  }),
  "core.budget": number("BUDGET_USD_PER_WINDOW", "US dollars that one person may spend within BUDGET_WINDOW_MS"),
  "core.orgBudget": number(
    "ORG_BUDGET_USD_PER_WINDOW",
    "US dollars that all together may spend within BUDGET_WINDOW_MS",
  ),
  "core.budgetWindow": number("BUDGET_WINDOW_MS", "Length of the window of the budgets in milliseconds", {
    default: "86400000",
  }),
  "core.contextEntries": number("MAX_CONTEXT_ENTRIES", "Entries of a session that the model sees at most"),
  "core.contextTokens": number("MAX_CONTEXT_TOKENS", "Tokens of a session that the model sees at most"),
  "core.execTimeout": number(
    "EXEC_TIMEOUT_DEFAULT_SEC",
    "Seconds that an agent's command may take where it asks for no other time",
    { default: "120" },
  ),
  "core.execTimeoutMost": number("EXEC_TIMEOUT_MAX_SEC", "Seconds that an agent's command may ask for at most", {
    default: "300",
  }),
  "core.turnTime": number("TURN_WALL_CLOCK_SEC", "Seconds that a turn may take, 0 for no limit", { default: "0" }),
  "core.runAge": number("RUN_MAX_AGE_MS", "Milliseconds after which a run is given up", { default: "86400000" }),
  "core.jobTime": number(
    "BACKGROUND_JOB_TTL_SEC",
    "Seconds that a background command may run where it asks for no other time",
    { default: "1800" },
  ),
  "core.jobTimeMost": number("BACKGROUND_JOB_TTL_MAX_SEC", "Seconds that a background command may ask for at most", {
    default: "3600",
  }),
  "core.monitorPoll": number("MONITOR_POLL_MS", "Milliseconds between two looks at background commands", {
    default: "10000",
  }),
  "core.monitorHeartbeat": number(
    "MONITOR_HEARTBEAT_SEC",
    "Seconds after which a background command is said to run still",
    { default: "180" },
  ),
  "core.skillSyncPoll": number("SKILL_SYNC_POLL_MS", "Milliseconds between two looks for newer skills, 0 for none", {
    default: "0",
  }),
  "core.memoryConsolidate": number("MEMORY_CONSOLIDATE_AFTER", "Memories after which they are put in order"),
  "core.memoryQuiet": number("MEMORY_CAPTURE_QUIET_MS", "Milliseconds of silence after which a talk is remembered", {
    default: "180000",
  }),
  "core.memoryTurns": number("MEMORY_CAPTURE_MAX_TURNS", "Turns after which a talk is remembered at the latest"),
  "core.deepIdle": number("DEEP_IDLE_MACHINE_MS", "Milliseconds after which an idle machine is put to deep sleep", {
    default: "259200000",
  }),
  "core.devIdle": number(
    "DEV_IDLE_MACHINE_MS",
    "Milliseconds after which an idle machine of development is put to deep sleep",
    { default: "7200000" },
  ),
  "core.cronConcurrency": number("CRON_FIRE_CONCURRENCY", "Schedules that fire at once", { default: "4" }),
  "core.workers": number("WORKERS", "Runs that core works on at once", { default: "16" }),
  "core.leaseTtl": number("LEASE_TTL_MS", "Milliseconds that a worker holds a run without a sign of life", {
    default: "120000",
  }),
  "core.heartbeat": number(
    "HEARTBEAT_INTERVAL_MS",
    "Milliseconds between a worker's signs of life; a third of LEASE_TTL_MS where it is not set",
  ),
  "core.reaper": number("REAPER_INTERVAL_MS", "Milliseconds between two looks for runs without a worker", {
    default: "15000",
  }),
  "core.drain": number("SHUTDOWN_DRAIN_MS", "Milliseconds that runs have to end when core stops", { default: "10000" }),
  "core.attempts": number("MAX_ATTEMPTS", "How often a failed run is tried", { default: "3" }),
  "core.claims": number("MAX_CLAIMS", "How often a run may be taken up", { default: "8" }),
  "core.processReaper": number("PROCESS_REAPER_INTERVAL_MS", "Milliseconds between two looks for forgotten processes", {
    default: "30000",
  }),
  "core.approvalTime": number("APPROVAL_SUMMARY_TIMEOUT_MS", "Milliseconds that the summary of an approval may take", {
    default: "6000",
  }),
  "core.screenTime": number("SECURITY_SCREEN_TIMEOUT_MS", "Milliseconds that the security screen may take", {
    whole: true,
    least: 1,
    most: 2_147_483_647,
    default: "15000",
  }),
  "core.insights": number("INSIGHTS_INTERVAL_MS", "Milliseconds between two rounds of insights", { default: "300000" }),
  "core.sandboxTimeout": number("SANDBOX_TIMEOUT_SEC", "Seconds after which a command in a sandbox is stopped", {
    positive: true,
    outside: "commands get no time to run",
    default: "600",
    example: "600",
  }),

  "core.backgroundWork": boolean("BACKGROUND_WORK_ENABLED", "Fire schedules and work in the background", {
    default: "true",
  }),
  "core.taskProtection": boolean("ECS_TASK_PROTECTION", "Keep ECS from stopping a task with runs in it", {
    default: "true",
  }),
  "core.scratchExec": boolean("EXECUTE_SCRATCH", "Let agents run commands in a throw-away sandbox", {
    default: "false",
  }),
  "core.reachExec": boolean("REACH_EXEC", "Let agents run commands on machines that they were given", {
    default: "false",
  }),
  "core.ownerIsolation": boolean("SHARED_OWNER_AUTH_ISOLATION", "Keep an owner's sign-ins apart in shared workspaces", {
    default: "false",
  }),
  "core.debugFooter": boolean("SURFACE_DEBUG_FOOTER", "End messages with a line for debugging", { default: "false" }),
  "core.eagerProvision": boolean("EAGER_PROVISION", "Make a machine before the first command asks for one", {
    default: "false",
  }),
  "core.ecsAgentUri": text("ECS_AGENT_URI", "Address of the ECS agent", { setBy: "ECS" }),
} as const;
