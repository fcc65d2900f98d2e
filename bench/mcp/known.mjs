// What the suite expects and this server does not have. A check may fail for one of these reasons if it is among its checks, or in one of its
// scenarios, and if the suite says that it failed so.

export const known = [
  {
    reason: 'the server has tools only, and does not declare prompts, resources, completions or logging',
    checks: [
      'completion-complete', 'logging-set-level', 'tools-call-with-logging',
      'prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image',
      'resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe',
      'sep-2549-prompts-list-caching-hints', 'sep-2549-resources-list-caching-hints', 'sep-2549-resources-templates-list-caching-hints',
      'sep-2322-non-tool-incomplete',
    ],
    says: /method not found: "(prompts|resources|completion|logging)\//,
  },
  {
    reason: "the check calls a tool of the suite's own example server, which gives pictures, sound, progress or errors on demand",
    checks: [
      'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content',
      'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12-tool-found',
    ],
    says: /unknown tool "test_|Tool 'json_schema_2020_12_tool' not found/,
  },
  {
    reason: 'no tool asks the user or the model of the client (elicitation, sampling, roots), which the check needs',
    checks: [
      'tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-general', 'elicitation-sep1330-general',
      'sep-2322-elicitation-incomplete', 'sep-2322-sampling-incomplete', 'sep-2322-list-roots-incomplete', 'sep-2322-request-state-incomplete',
      'sep-2322-multiple-inputs-incomplete', 'sep-2322-multi-round-r1', 'sep-2322-result-type-included', 'sep-2322-reject-tampered-state',
      'sep-2322-respect-client-capabilities',
    ],
    says: /unknown tool "test_|Expected InputRequiredResult|could not get initial InputRequiredResult/,
  },
  {
    reason: 'the check needs a tool of the example server to look at the transport, and says itself that it cannot be tested here',
    checks: [
      'sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel',
      'sep-2243-server-no-xmcp-tool', 'sep-2243-server-decode-base64', 'sep-2243-server-validate-param-match',
      'sep-2243-server-reject-invalid-param-chars', 'sep-2243-server-reject-param-mismatch',
    ],
    says: /^Not testable: server (does not list the diagnostic tool|exposes no tool with x-mcp-header)/,
  },
];
