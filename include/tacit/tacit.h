/* tacit: decisions learned from sensitive records, and only the decision rule given away.

   The way of a row: tacit_schema_read -> tacit_source_csv -> tacit_learn -> tacit_policy_new ->
   tacit_policy_write; then tacit_encoder_next and tacit_policy_decide order with it. Functions are safe to
   call from several threads on different objects (of a ledger's file, see tacit/ledger.h). Nothing here
   prints, exits, changes the locale or installs signal handlers. Methods as published are apart:
   tacit/papers.h, libtacit-papers. */
#ifndef TACIT_H
#define TACIT_H

#include <tacit/arrow.h>
#include <tacit/base.h>
#include <tacit/bounds.h>
#include <tacit/data.h>
#include <tacit/engine.h>
#include <tacit/learn.h>
#include <tacit/ledger.h>
#include <tacit/method.h>
#include <tacit/policy.h>
#include <tacit/privacy.h>
#include <tacit/region.h>
#include <tacit/schema.h>
#include <tacit/sign.h>
#include <tacit/solvers.h>
#include <tacit/source.h>
#include <tacit/study.h>

#endif
