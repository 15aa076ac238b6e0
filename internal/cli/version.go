package cli

import "runtime/debug"

// version is the module's version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, revision, modified := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+changes"
		}
	}
	if v == "" || v == "(devel)" {
		v = "development"
	}
	if revision == "" {
		return v + " " + info.GoVersion
	}
	return v + " (" + revision + modified + ") " + info.GoVersion
}
