"""Code that a suite brings: run with the user's trust only, in processes that can be stopped.

trust        whose code runs, and how that is remembered
suite_code   SuiteCode: all the code of one suite
seen         what code is made of, as far as it can be seen: command_files, script_modules
node         what starts node, for JavaScript that needs it and for TypeScript
commands     a command that is run once, with data in and data out
checks       checks, transforms and scoring functions that are code
answers      targets that are code
"""

from turnwise.engine.suites.code.suite_code import SuiteCode
from turnwise.engine.suites.code.trust import Trust, TrustMemory, untrusted

__all__ = ["SuiteCode", "Trust", "TrustMemory", "untrusted"]
