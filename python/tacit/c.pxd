# The public C interface (include/tacit/*.h), as far as the package calls it.
from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef extern from "stdbool.h":
    ctypedef bint bint_c "bool"


cdef extern from "tacit/tacit.h" nogil:
    ctypedef int tacit_status
    enum:
        TACIT_OK, TACIT_CHECK_FAILED, TACIT_USAGE, TACIT_BAD_INPUT, TACIT_REFUSED, TACIT_INTERNAL, TACIT_CANCELLED

    ctypedef struct tacit_error:
        char text[512]

    ctypedef struct tacit_context:
        int threads
        void (*progress)(void *user, const char *what, double fraction) noexcept nogil
        bint_c (*cancelled)(void *user) noexcept nogil
        void *user

    void tacit_context_init(tacit_context *context)
    const char *tacit_version()
    void tacit_free(void *memory)

    # schema.h
    ctypedef int tacit_adjacency
    enum:
        TACIT_REPLACE_ONE, TACIT_ADD_REMOVE
    ctypedef struct tacit_schema:
        pass
    tacit_status tacit_schema_parse(const char *json, size_t length, tacit_schema **schema, tacit_error *error)
    void tacit_schema_free(tacit_schema *schema)
    size_t tacit_schema_columns(const tacit_schema *schema)
    const char *tacit_schema_column_name(const tacit_schema *schema, size_t column)
    size_t tacit_schema_targets(const tacit_schema *schema)
    const char *tacit_schema_target_name(const tacit_schema *schema, size_t target)
    const char *tacit_schema_target_sold_out(const tacit_schema *schema, size_t target)
    bint tacit_schema_target_costs(const tacit_schema *schema, size_t target, double *underage, double *overage)
    size_t tacit_schema_records_per_unit(const tacit_schema *schema)
    const char *tacit_schema_unit_column(const tacit_schema *schema)
    const char *tacit_schema_hash(const tacit_schema *schema)

    # source.h, arrow.h, data.h
    ctypedef struct tacit_source:
        pass

    struct ArrowSchema:
        const char *format
        const char *name
        const char *metadata
        int64_t flags, n_children
        ArrowSchema **children
        ArrowSchema *dictionary
        void (*release)(ArrowSchema *) noexcept nogil
        void *private_data

    struct ArrowArray:
        int64_t length, null_count, offset, n_buffers, n_children
        const void **buffers
        ArrowArray **children
        ArrowArray *dictionary
        void (*release)(ArrowArray *) noexcept nogil
        void *private_data

    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *out) noexcept nogil
        int (*get_next)(ArrowArrayStream *, ArrowArray *out) noexcept nogil
        const char *(*get_last_error)(ArrowArrayStream *) noexcept nogil
        void (*release)(ArrowArrayStream *) noexcept nogil
        void *private_data

    tacit_status tacit_source_arrow(ArrowArrayStream *stream, tacit_source **source, tacit_error *error)
    ctypedef struct tacit_csv_form:
        char separator, decimal
    bint tacit_schema_csv(const tacit_schema *schema, tacit_csv_form *form)
    tacit_status tacit_source_open_as(const char *path, const tacit_csv_form *form, tacit_source **source, tacit_error *error)
    tacit_status tacit_source_csv_as(const char *path, const tacit_csv_form *form, tacit_source **source, tacit_error *error)
    tacit_status tacit_source_where(tacit_source *records, const char *condition, tacit_source **source, tacit_error *error)
    tacit_status tacit_source_open_part(const char *path, size_t part, size_t parts, tacit_source **source,
                                        tacit_error *error)
    tacit_status tacit_source_packed(const void *data, size_t length, size_t part, size_t parts,
                                     tacit_source **source, tacit_error *error)
    tacit_status tacit_source_events(tacit_source *events, tacit_source *calendar, const tacit_schema *schema,
                                     tacit_source **source, tacit_error *error) nogil
    tacit_status tacit_source_sql(const char *database, const char *query, bint result_rows,
                                  tacit_source **source, tacit_error *error)
    void tacit_source_free(tacit_source *source)
    tacit_status tacit_source_check_columns(const tacit_source *source, const tacit_schema *schema, tacit_error *error)
    ctypedef struct tacit_shards:
        uint32_t *shard
        size_t records
        bint_c texts, numbers
    tacit_status tacit_unit_shards(tacit_source *source, const tacit_schema *schema, size_t shards, tacit_shards *found,
                                   tacit_error *error)
    tacit_status tacit_source_shard(tacit_source *source, size_t shard, size_t shards, tacit_error *error)
    ctypedef struct tacit_pack_counts:
        size_t records, rows, dropped_lag, dropped_unit
    tacit_status tacit_pack_table(tacit_source *source, const tacit_schema *schema, const char *path,
                                  tacit_pack_counts *counts, const tacit_context *context, tacit_error *error)

    # region.h
    ctypedef struct tacit_region:
        pass
    tacit_status tacit_region_parse(const char *json, size_t length, tacit_region **region, tacit_error *error)
    void tacit_region_free(tacit_region *region)
    size_t tacit_region_dimension(const tacit_region *region)
    double tacit_region_diameter(const tacit_region *region)
    size_t tacit_region_work(const tacit_region *region)
    tacit_status tacit_region_minimise(const tacit_region *region, const double *cost, const double *against,
                                       double *work, double *w, double *value, tacit_error *error)

    # privacy.h
    enum:
        TACIT_LABEL_MAX, TACIT_RDP_ORDERS, TACIT_PRIORS, TACIT_EXCEPTIONS, TACIT_CLOSED_FORMS
    ctypedef struct tacit_certificate:
        pass
    ctypedef struct tacit_receipt:
        char label[101]
        uint64_t sequence
        char head[65]
        char commitment[65]
    const double tacit_rdp_orders[20]
    ctypedef struct tacit_cost:
        double mu, epsilon, delta
        double rdp[20]
        char commitment[65]
    ctypedef struct tacit_interval:
        double lower, upper
    ctypedef struct tacit_objective:
        double lipschitz, smoothness
        double ridge "lambda"
        double sigma
        tacit_adjacency adjacency
    tacit_status tacit_objective_delta(const tacit_objective *o, double epsilon, tacit_interval *delta, tacit_error *e)
    tacit_status tacit_objective_epsilon(const tacit_objective *o, double delta, tacit_interval *epsilon, tacit_error *e)
    tacit_status tacit_objective_sigma(const tacit_objective *o, double epsilon, double delta, double *sigma, tacit_error *e)
    tacit_status tacit_objective_lambda(const tacit_objective *o, double epsilon, double delta, double *ridge, tacit_error *e)
    tacit_status tacit_gdp_delta(double mu, double epsilon, double *delta, tacit_error *e)
    tacit_status tacit_gdp_epsilon(double mu, double delta, double *epsilon, tacit_error *e)
    tacit_status tacit_gdp_mu(double epsilon, double delta, double *mu, tacit_error *e)
    tacit_status tacit_gdp_compose(size_t n, const double *mu, double *total, tacit_error *e)
    tacit_status tacit_gdp_sigma(double mu, double sensitivity, uint64_t steps, double *sigma, tacit_error *e)
    ctypedef struct tacit_beliefs:
        double prior[3]
        double allowed "except"[3]
        double at_most[3][3]
    tacit_status tacit_beliefs_from(double mu, double epsilon, double delta, tacit_beliefs *beliefs, tacit_error *e)
    ctypedef int tacit_sampling
    enum:
        TACIT_SAMPLING_POISSON, TACIT_SAMPLING_FIXED
    ctypedef struct tacit_sampled:
        double sigma, rate
        uint64_t steps
        tacit_sampling sampling
        tacit_adjacency adjacency
    tacit_status tacit_sampled_delta(const tacit_sampled *s, double epsilon, tacit_interval *delta, tacit_error *e)
    tacit_status tacit_sampled_epsilon(const tacit_sampled *s, double delta, tacit_interval *epsilon, tacit_error *e)
    tacit_status tacit_sampled_sigma_bounds(const tacit_sampled *s, double epsilon, double delta, tacit_interval *sigma,
                                            tacit_error *e)
    ctypedef struct tacit_accountants:
        double rdp, zcdp, moments, advanced
    tacit_status tacit_sampled_compare(const tacit_sampled *s, double delta, tacit_accountants *out, tacit_error *e)
    tacit_status tacit_zcdp_rho(double sensitivity, double sigma, uint64_t steps, double *rho, tacit_error *e)
    tacit_status tacit_zcdp_epsilon(double rho, double delta, double *epsilon, tacit_error *e)
    tacit_status tacit_advanced_composition(double epsilon, double delta, uint64_t steps, double slack,
                                            double *total_epsilon, double *total_delta, tacit_error *e)

    # method.h, learn.h
    ctypedef struct tacit_start:
        pass
    void tacit_start_free(tacit_start *start)
    const tacit_method *tacit_method_following()
    ctypedef struct tacit_learn_options:
        const char *method
        const tacit_region *region
        const double *quantiles
        size_t quantile_count
        double mu, epsilon, delta
        tacit_adjacency adjacency
        size_t nominal_rows
        tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error) noexcept nogil
        void *spend_user
        bint seeded
        uint64_t seed
        const tacit_start *start "from"
        const char *period
    void tacit_learn_options_init(tacit_learn_options *options)
    tacit_status tacit_learn_options_set_number(tacit_learn_options *options, const char *name, double number, tacit_error *e)
    tacit_status tacit_learn_options_set_word(tacit_learn_options *options, const char *name, const char *word, tacit_error *e)
    ctypedef int tacit_promise
    ctypedef int tacit_option_kind
    ctypedef struct tacit_option:
        const char *name
        tacit_option_kind kind
        const char *value
        const char *about
    ctypedef struct tacit_method:
        pass
    const tacit_method *tacit_method_at(size_t index)
    const tacit_method *tacit_method_find(const char *name, bint region)
    const tacit_method *tacit_method_for(const char *name, bint region, const tacit_schema *schema)
    const char *tacit_method_name(const tacit_method *method)
    const char *tacit_method_about(const tacit_method *method)
    tacit_promise tacit_method_promise(const tacit_method *method)
    bint tacit_method_needs_region(const tacit_method *method)
    const tacit_option *tacit_method_option(const tacit_method *method, size_t index)
    ctypedef struct tacit_fit:
        pass
    void tacit_fit_free(tacit_fit *fit)
    const char *tacit_fit_note(const tacit_fit *fit)
    ctypedef struct tacit_fit_counts:
        size_t records, rows, dropped_lag, dropped_unit
    tacit_fit_counts tacit_fit_count(const tacit_fit *fit)
    tacit_status tacit_learn(const tacit_schema *schema, tacit_source *source, const tacit_learn_options *options,
                             const tacit_context *context, tacit_fit **fit, tacit_error *error)
    ctypedef struct tacit_estimate_options:
        const double *coefficients
        const double *spread
        const double *underage
        const double *overage
        double bound, mu
        tacit_adjacency adjacency
        size_t nominal_rows
        tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error) noexcept nogil
        void *spend_user
        bint seeded
        uint64_t seed
    ctypedef struct tacit_estimate_release:
        const char *what
        uint64_t count
        double sensitivity, sigma, mu
    ctypedef struct tacit_estimate_figure:
        double value, low, high
    enum:
        TACIT_ESTIMATE_RELEASES
    ctypedef struct tacit_estimate:
        tacit_estimate_figure cost, cut
        double standard_error, bound
        bint bound_found, rows_public
        double rows, mu
        int grid_bits
        tacit_estimate_release releases[TACIT_ESTIMATE_RELEASES]
        size_t release_count
    tacit_status tacit_estimate_cost(const tacit_schema *schema, tacit_source *source,
                                     const tacit_estimate_options *options, const tacit_context *context,
                                     tacit_estimate *estimates, tacit_error *error)

    # policy.h, sign.h
    ctypedef struct tacit_policy:
        pass
    ctypedef struct tacit_goal:
        double quantile, underage, overage
    tacit_status tacit_policy_from_fit(const tacit_schema *schema, const tacit_region *region, const tacit_fit *fit,
                                       const tacit_goal *goals, tacit_policy **policy, tacit_error *error)
    tacit_status tacit_policy_parse(const char *json, size_t length, tacit_policy **policy, tacit_error *error)
    tacit_status tacit_policy_read(const char *path, tacit_policy **policy, tacit_error *error)
    tacit_status tacit_policy_write(const tacit_policy *policy, const char *path, tacit_error *error)
    char *tacit_policy_text(const tacit_policy *policy)
    void tacit_policy_free(tacit_policy *policy)
    const tacit_schema *tacit_policy_schema(const tacit_policy *policy)
    size_t tacit_policy_goal_count(const tacit_policy *policy)
    tacit_goal tacit_policy_goal(const tacit_policy *policy, size_t goal)
    const char *tacit_policy_goal_name(const tacit_policy *policy, size_t goal)
    size_t tacit_policy_goal_target(const tacit_policy *policy, size_t goal)
    bint tacit_policy_private(const tacit_policy *policy)
    double tacit_policy_mu(const tacit_policy *policy)
    double tacit_policy_epsilon(const tacit_policy *policy)
    double tacit_policy_delta(const tacit_policy *policy)
    tacit_adjacency tacit_policy_adjacency(const tacit_policy *policy)
    bint tacit_policy_result_rows(const tacit_policy *policy)
    const char *tacit_policy_method(const tacit_policy *policy)
    void tacit_policy_set_receipt(tacit_policy *policy, const tacit_receipt *receipt)
    const tacit_receipt *tacit_policy_receipt(const tacit_policy *policy)
    double tacit_policy_coefficient(const tacit_policy *policy, size_t goal, size_t column)
    bint tacit_policy_has_spread(const tacit_policy *policy)
    double tacit_policy_log_spread(const tacit_policy *policy, size_t goal, size_t column)
    double tacit_policy_spreads(const tacit_policy *policy, size_t goal)
    bint tacit_policy_has_uncertainty(const tacit_policy *policy, size_t goal)
    bint tacit_policy_standard_errors(const tacit_policy *policy, size_t goal, double *errors)
    bint tacit_policy_interval(const tacit_policy *policy, size_t goal, const double *x, double level, double *lower,
                               double *upper)
    double tacit_policy_decide(const tacit_policy *policy, size_t goal, const double *x)
    ctypedef struct tacit_pick:
        size_t below, above
        double weight
    tacit_status tacit_policy_pick(const tacit_policy *policy, double quantile, tacit_pick *pick, tacit_error *error)
    double tacit_policy_decide_picked(const tacit_policy *policy, const tacit_pick *pick, const double *x)
    tacit_status tacit_policy_orders(const tacit_policy *policy, tacit_source *source, double **orders, size_t *rows,
                                     tacit_error *error)
    tacit_status tacit_policy_start(const tacit_policy *policy, tacit_start **start, tacit_error *error)
    const char *tacit_policy_period(const tacit_policy *policy)
    const char *tacit_policy_before(const tacit_policy *policy)
    tacit_status tacit_public_key_read(const char *path, char *public_key, tacit_error *error)
    void tacit_schema_target_bounds(const tacit_schema *schema, size_t target, double *low, double *high)
    void tacit_policy_statement(const tacit_policy *policy, char *text)
    const tacit_region *tacit_policy_region(const tacit_policy *policy)
    tacit_status tacit_policy_cost(const tacit_policy *policy, tacit_cost *cost, tacit_error *error)
    tacit_status tacit_spo_decide(const tacit_policy *policy, const double *x, double *work, double *w, tacit_error *error)
    ctypedef struct tacit_encoder:
        pass
    tacit_status tacit_encoder_new(tacit_source *source, const tacit_schema *schema, bint need_targets,
                                   tacit_encoder **encoder, tacit_error *error)
    tacit_status tacit_encoder_next(tacit_encoder *encoder, double *x, double *y, bint_c *ready, bint_c *more, tacit_error *error)
    void tacit_encoder_free(tacit_encoder *encoder)
    ctypedef struct tacit_secret_key:
        pass
    tacit_status tacit_keys_make(const char *secret_path, const char *public_path, char *public_key, tacit_error *error)
    tacit_status tacit_secret_key_read(const char *path, tacit_secret_key **key, tacit_error *error)
    void tacit_secret_key_free(tacit_secret_key *key)
    tacit_status tacit_policy_sign(tacit_policy *policy, const tacit_secret_key *key, tacit_error *error)
    const char *tacit_policy_signer(const tacit_policy *policy)
    tacit_status tacit_policy_check_signature(const tacit_policy *policy, tacit_error *error)

    # ledger.h
    ctypedef struct tacit_ledger:
        pass
    ctypedef int tacit_ledger_mode
    enum:
        TACIT_LEDGER_READ, TACIT_LEDGER_WRITE, TACIT_LEDGER_CREATE, TACIT_LEDGER_MOVE
    tacit_status tacit_ledger_open(const char *path, tacit_ledger_mode mode, int wait_ms, tacit_ledger **ledger,
                                   tacit_error *error)
    void tacit_ledger_close(tacit_ledger *ledger)
    ctypedef struct tacit_unit:
        tacit_adjacency adjacency
        size_t rows_per_unit
        const char *column
        bint result_rows
        bint targets
        double change
    tacit_unit tacit_unit_of(const tacit_schema *schema, tacit_adjacency adjacency, bint result_rows)
    ctypedef struct tacit_ledger_terms:
        const char *label
        double mu, delta
        tacit_unit unit
        bint change
        const char *date
        const char *per
    tacit_status tacit_ledger_set(tacit_ledger *ledger, const tacit_ledger_terms *terms, tacit_error *error)
    ctypedef struct tacit_spending:
        const char *label
        double mu
        const char *method
        const char *schema_hash
        const char *date
        tacit_unit unit
        const tacit_cost *cost
        const char *commitment
        const char *period
    tacit_status tacit_ledger_afford(tacit_ledger *ledger, const tacit_spending *spending, tacit_error *error)
    ctypedef struct tacit_payment:
        tacit_ledger *ledger
        tacit_spending spending
        tacit_receipt receipt
    tacit_status tacit_ledger_pay(void *payment, const tacit_cost *cost, tacit_error *error)
    ctypedef struct tacit_ledger_total:
        const char *label
        bint limited
        double budget_mu, spent_mu, left_mu
        uint64_t releases
        bint renyi
        double budget_epsilon, spent_epsilon, delta
        tacit_unit unit
        const char *per
        const char *period
    size_t tacit_ledger_labels(const tacit_ledger *ledger)
    tacit_ledger_total tacit_ledger_total_at(const tacit_ledger *ledger, size_t index)
    ctypedef struct tacit_ledger_entry:
        uint64_t sequence
        const char *kind
        const char *label
        const char *measure
        const char *amount
        double mu
        const char *method
        const char *schema_hash
        const char *date
        const char *nonce
        const char *previous
        const char *hash
        double epsilon, delta
        const char *commitment
    tacit_status tacit_ledger_each(tacit_ledger *ledger, void (*visit)(void *user, const tacit_ledger_entry *entry) noexcept,
                                   void *user, tacit_error *error)
    const char *tacit_ledger_id(const tacit_ledger *ledger)
    uint64_t tacit_ledger_sequence(const tacit_ledger *ledger)
    const char *tacit_ledger_head(const tacit_ledger *ledger)
    tacit_status tacit_ledger_check(tacit_ledger *ledger, tacit_error *error)
    tacit_status tacit_ledger_check_payment(tacit_ledger *ledger, const tacit_receipt *receipt, const char *schema_hash,
                                            const char *method, const tacit_unit *unit, const tacit_cost *cost,
                                            tacit_error *error)

    # engine.h
    ctypedef struct tacit_part_entry:
        unsigned char hash[32]
        unsigned char table[32]
        uint64_t part, parts, first, blocks, table_blocks, rows, records, dropped_lag, dropped_unit, shard, shards, whole
    tacit_status tacit_manifest_packed(const char *path, const tacit_schema *schema, size_t parts,
                                       tacit_part_entry *entries, tacit_error *error)
    ctypedef struct tacit_part:
        pass
    tacit_status tacit_part_open(tacit_source *source, const tacit_schema *schema, const tacit_context *context,
                                 tacit_part **part, tacit_error *error)
    void tacit_part_describe(const tacit_part *part, tacit_part_entry *entry)
    tacit_status tacit_part_answer(tacit_part *part, const void *request, size_t length, void **reply,
                                   size_t *reply_length, tacit_error *error)
    size_t tacit_part_rest(const tacit_part *part)
    void tacit_part_free(tacit_part *part)
    void tacit_reply_free(void *reply, size_t length)
    ctypedef struct tacit_request:
        const void *bytes
        size_t length
        const size_t *parts
        size_t count
    ctypedef struct tacit_replies:
        pass
    tacit_status tacit_replies_add(tacit_replies *replies, const void *reply, size_t length, tacit_error *error)
    ctypedef struct tacit_engine:
        tacit_status (*ask)(void *user, const tacit_request *request, tacit_replies *replies, tacit_error *error) noexcept nogil
        void *user
    tacit_status tacit_source_engine(const tacit_engine *engine, const tacit_schema *schema,
                                     const tacit_part_entry *entries, size_t count, tacit_source **source,
                                     tacit_error *error)

    # study.h
    ctypedef struct tacit_evaluation:
        size_t rows, beyond
        double mean_cost, mean_underage_cost, mean_overage_cost, mean_order, mean_demand, mean_shortage, mean_leftover
        double service_level, fill_rate, mean_pinball, cost_without_features, cost_without_privacy, cost_of_last
        size_t rows_with_last, sold_out, sold_out_covered
        bint_c sold_out_told
    ctypedef struct tacit_evaluate_options:
        tacit_source *train
        const char *by
    ctypedef struct tacit_evaluated:
        size_t targets, groups
        tacit_evaluation *all
        tacit_evaluation *by
        char **names
        size_t dropped
        bint hindsight
    tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source, const tacit_evaluate_options *options,
                                const tacit_context *context, tacit_evaluated **result, tacit_error *error)
    void tacit_evaluated_free(tacit_evaluated *result)
    ctypedef struct tacit_spo_evaluation:
        size_t rows
        double mean_spo_loss, mean_optimal_cost, normalized_spo_loss
    tacit_status tacit_spo_evaluate(const tacit_policy *policy, tacit_source *source, tacit_spo_evaluation *result,
                                    const tacit_context *context, tacit_error *error)
    const char *tacit_simulator_name(size_t index)
    const char *tacit_simulator_about(size_t index)
    tacit_status tacit_simulate(const char *name, size_t rows, uint64_t seed,
                                tacit_status (*writer)(void *user, const char *text, size_t length) noexcept,
                                void *user, tacit_error *error)
    const char *tacit_simulator_schema(const char *name)
    const char *tacit_simulator_region(const char *name)
    enum:
        TACIT_PLAN_CASES, TACIT_PLAN_ASSUMPTIONS, TACIT_PLAN_TEXT
    ctypedef struct tacit_plan_options:
        size_t rows
        const tacit_goal *goals
        size_t goal_count
        double mu, percent
        const char *method
        const tacit_region *region
        tacit_adjacency adjacency
        size_t repetitions
        uint64_t seed
    void tacit_plan_options_init(tacit_plan_options *options)
    ctypedef struct tacit_plan_row:
        double mu
        size_t rows, simulated
        double low, middle, high, nine_in_ten, middle_se
        double percent[TACIT_PLAN_CASES]
        double percent_se[TACIT_PLAN_CASES]
        double worst_case, worst_case_percent, rate
    ctypedef struct tacit_plan_demand_case:
        const char *name
        const char *about
        double cost_without_privacy, cost_without_features
    ctypedef struct tacit_plan_answer:
        double percent, mu, mu_from, mu_to, mu_nine_in_ten, rows, rows_from, rows_to, rows_nine_in_ten, mu_most, rows_most
    ctypedef struct tacit_plan_result:
        size_t mu_count, size_count
        tacit_plan_row *by_mu
        tacit_plan_row *by_rows
        size_t asked_mu, asked_size
        tacit_plan_demand_case cases[TACIT_PLAN_CASES]
        tacit_plan_answer answer
        size_t repetitions
        char recommendation[TACIT_PLAN_TEXT]
        char worst_case[TACIT_PLAN_TEXT]
        char assumptions[TACIT_PLAN_ASSUMPTIONS][TACIT_PLAN_TEXT]
        size_t assumption_count
    tacit_status tacit_plan(const tacit_schema *schema, const tacit_plan_options *options, const tacit_context *context,
                            tacit_plan_result **result, tacit_error *error)
    void tacit_plan_free(tacit_plan_result *result)
    ctypedef struct tacit_audit_options:
        const char *method
        const char *plant
        double mu, delta, epsilon
        tacit_adjacency adjacency
        size_t runs
        bint one_run
        bint seeded
        uint64_t seed
    void tacit_audit_options_init(tacit_audit_options *options)
    ctypedef struct tacit_audit_result:
        char method[32]
        char plant[32]
        double mu_promised, mu_lower, mu_lower_transcript, mu_lower_coefficients, confidence
        size_t runs, trained, releases, guesses, right
        bint caught
    const char *tacit_audit_method_name(size_t index)
    const char *tacit_audit_fault_name(size_t index)
    tacit_status tacit_audit_learner(const tacit_audit_options *options, const tacit_context *context,
                                     tacit_audit_result *result, tacit_error *error)


# Lists inside structures without a name, which Cython cannot spell.
cdef extern from *:
    """
    #include <tacit/tacit.h>
    static inline int tacit_py_check_holds(const tacit_verdict *v, size_t i) { return v->checks[i].holds; }
    static inline const char *tacit_py_check_text(const tacit_verdict *v, size_t i) { return v->checks[i].text; }
    static inline double tacit_py_audit_epsilon(const tacit_audit_result *r, size_t i, int k) {
      return k == 0 ? r->epsilon[i].delta : k == 1 ? r->epsilon[i].promised : r->epsilon[i].lower;
    }
    """
    ctypedef struct tacit_verdict:
        bint holds
        size_t count
        double mu, epsilon, delta
    enum:
        TACIT_AUDIT_DELTAS
    void tacit_policy_verify(const tacit_policy *policy, tacit_verdict *verdict) nogil
    void tacit_policy_verify_link(const tacit_policy *policy, const tacit_policy *before, tacit_verdict *verdict) nogil
    int tacit_py_check_holds(const tacit_verdict *v, size_t i)
    const char *tacit_py_check_text(const tacit_verdict *v, size_t i)
    double tacit_py_audit_epsilon(const tacit_audit_result *r, size_t i, int k)
