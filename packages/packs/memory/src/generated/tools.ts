// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as analyticsGet } from '../tools/analytics-get.ts'
import { run as checkpointList } from '../tools/checkpoint-list.ts'
import { run as checkpointResume } from '../tools/checkpoint-resume.ts'
import { run as checkpointSave } from '../tools/checkpoint-save.ts'
import { run as checkpointSearch } from '../tools/checkpoint-search.ts'
import { run as indexRepository } from '../tools/index-repository.ts'
import { run as listPatterns } from '../tools/list-patterns.ts'
import { run as memoryStatus } from '../tools/memory-status.ts'
import { run as remediationFeedback } from '../tools/remediation-feedback.ts'
import { run as remediationSave } from '../tools/remediation-save.ts'
import { run as remediationSearch } from '../tools/remediation-search.ts'
import { run as repositorySearch } from '../tools/repository-search.ts'
import { run as skillApply } from '../tools/skill-apply.ts'
import { run as skillCreate } from '../tools/skill-create.ts'
import { run as skillDelete } from '../tools/skill-delete.ts'
import { run as skillFeedback } from '../tools/skill-feedback.ts'
import { run as skillList } from '../tools/skill-list.ts'
import { run as skillSearch } from '../tools/skill-search.ts'
import { run as skillUpdate } from '../tools/skill-update.ts'
import { run as troubleshootDiagnose } from '../tools/troubleshoot-diagnose.ts'
import { run as troubleshootFeedback } from '../tools/troubleshoot-feedback.ts'
import type {
  AnalyticsGetData,
  AnalyticsGetParams,
  CheckpointListData,
  CheckpointListParams,
  CheckpointResumeData,
  CheckpointResumeParams,
  CheckpointSaveData,
  CheckpointSaveParams,
  CheckpointSearchData,
  CheckpointSearchParams,
  IndexRepositoryData,
  IndexRepositoryParams,
  ListPatternsData,
  ListPatternsParams,
  MemoryStatusData,
  MemoryStatusParams,
  RemediationFeedbackData,
  RemediationFeedbackParams,
  RemediationSaveData,
  RemediationSaveParams,
  RemediationSearchData,
  RemediationSearchParams,
  RepositorySearchData,
  RepositorySearchParams,
  SkillApplyData,
  SkillApplyParams,
  SkillCreateData,
  SkillCreateParams,
  SkillDeleteData,
  SkillDeleteParams,
  SkillFeedbackData,
  SkillFeedbackParams,
  SkillListData,
  SkillListParams,
  SkillSearchData,
  SkillSearchParams,
  SkillUpdateData,
  SkillUpdateParams,
  TroubleshootDiagnoseData,
  TroubleshootDiagnoseParams,
  TroubleshootFeedbackData,
  TroubleshootFeedbackParams,
} from './types.ts'

/** By alias. Each is checked against the types of its declaration. */
export const tools = {
  'analytics.get': analyticsGet satisfies ToolFunction<AnalyticsGetParams, AnalyticsGetData>,
  'checkpoint.list': checkpointList satisfies ToolFunction<CheckpointListParams, CheckpointListData>,
  'checkpoint.resume': checkpointResume satisfies ToolFunction<CheckpointResumeParams, CheckpointResumeData>,
  'checkpoint.save': checkpointSave satisfies ToolFunction<CheckpointSaveParams, CheckpointSaveData>,
  'checkpoint.search': checkpointSearch satisfies ToolFunction<CheckpointSearchParams, CheckpointSearchData>,
  'index.repository': indexRepository satisfies ToolFunction<IndexRepositoryParams, IndexRepositoryData>,
  'list.patterns': listPatterns satisfies ToolFunction<ListPatternsParams, ListPatternsData>,
  'memory.status': memoryStatus satisfies ToolFunction<MemoryStatusParams, MemoryStatusData>,
  'remediation.feedback': remediationFeedback satisfies ToolFunction<RemediationFeedbackParams, RemediationFeedbackData>,
  'remediation.save': remediationSave satisfies ToolFunction<RemediationSaveParams, RemediationSaveData>,
  'remediation.search': remediationSearch satisfies ToolFunction<RemediationSearchParams, RemediationSearchData>,
  'repository.search': repositorySearch satisfies ToolFunction<RepositorySearchParams, RepositorySearchData>,
  'skill.apply': skillApply satisfies ToolFunction<SkillApplyParams, SkillApplyData>,
  'skill.create': skillCreate satisfies ToolFunction<SkillCreateParams, SkillCreateData>,
  'skill.delete': skillDelete satisfies ToolFunction<SkillDeleteParams, SkillDeleteData>,
  'skill.feedback': skillFeedback satisfies ToolFunction<SkillFeedbackParams, SkillFeedbackData>,
  'skill.list': skillList satisfies ToolFunction<SkillListParams, SkillListData>,
  'skill.search': skillSearch satisfies ToolFunction<SkillSearchParams, SkillSearchData>,
  'skill.update': skillUpdate satisfies ToolFunction<SkillUpdateParams, SkillUpdateData>,
  'troubleshoot.diagnose': troubleshootDiagnose satisfies ToolFunction<TroubleshootDiagnoseParams, TroubleshootDiagnoseData>,
  'troubleshoot.feedback': troubleshootFeedback satisfies ToolFunction<TroubleshootFeedbackParams, TroubleshootFeedbackData>,
}
