//! Tables of items as people have them: words over columns in any order, pandas' index, dates and times; and errors with their place.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// Runs the tool in a folder with one file; the exit code, what it said and what it complained about.
fn tiebreak(file: &str, content: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(file), content).unwrap();
    let output = Command::new(cargo_bin!("tiebreak")).current_dir(folder.path()).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn solved(algorithm: &str, table: &str, more: &[&str]) -> Value {
    let arguments = [&["solve", "x.csv", "-a", algorithm, "--json", "-k", "100"], more].concat();
    let (code, answer, error) = tiebreak("x.csv", table, &arguments);
    assert_eq!(code, 0, "{table}: {error}");
    serde_json::from_str(&answer).unwrap()
}

const TASKS: &str = "task,deadline,weight\nwash,1,3\ncook,1,3\nread,2,0.5\nsing,2,0.50\n";

#[test]
fn columns_are_found_by_their_words_wherever_they_stand() {
    let expected = solved("task-scheduling", TASKS, &[]);
    assert_eq!(expected["count"], "4", "{expected}");
    assert_eq!(expected["names"], serde_json::json!(["wash", "cook", "read", "sing"]));
    for table in [
        "name;Weight;who;due\nwash;3;x;1\ncook;3;y;1\nread;0,5;z;2\nsing;0,50;z;2\n",
        ",task,deadline,weight\n0,wash,1,3\n1,cook,1,3.0\n2,read,2,0.5\n3,sing,2,.5\n",
        "wash,1,3\ncook,1,3\nread,2,0.5\nsing,2,0.5\n",
        "\u{feff}penalty,task name,task deadline\r\n3,wash,1\r\n3,cook,1\r\n0.5,read,2\r\n0.5,sing,2\r\n",
        "# chores\nwhat,until,worth\nwash,1,3\ncook,1,3\nread,2,0.5\nsing,2,0.5\n",
    ] {
        let answer = solved("task-scheduling", table, &[]);
        assert_eq!((&answer["count"], &answer["names"]), (&expected["count"], &expected["names"]), "{table}");
    }
    let answer = solved("task-scheduling", "a,b,c,d\nwash,9,1,3\ncook,9,1,3\n", &["--columns", "a,c,d"]);
    assert_eq!(answer["count"], "2");
    let answer = solved("task-scheduling", "task;deadline;weight\nwash, dry;1;3\ncook;1;3\n", &[]);
    assert_eq!(answer["names"], serde_json::json!(["wash, dry", "cook"]), "commas within names");
    // Without names, items are numbered; without another name, the index is one.
    assert_eq!(solved("task-scheduling", "deadline,weight\n1,3\n", &[])["names"], serde_json::json!(["0"]));
    assert_eq!(solved("task-scheduling", ",deadline,weight\nx,1,3\n", &[])["names"], serde_json::json!(["x"]));
}

#[test]
fn items_may_be_a_json_object_a_line() {
    let lines = "{\"task\":\"wash\",\"deadline\":1,\"weight\":3}\n\n{\"weight\":3.0,\"task\":\"cook\",\"deadline\":1,\"who\":[1]}\n\
        {\"task\":\"read\",\"deadline\":2,\"weight\":0.5}\n{\"task\":\"sing\",\"deadline\":\"2\",\"weight\":5e-1}\n";
    let solve = ["solve", "x.jsonl", "-a", "task-scheduling", "--json", "-k", "100"];
    let (code, answer, error) = tiebreak("x.jsonl", lines, &solve);
    assert_eq!(code, 0, "{error}");
    let (answer, expected): (Value, Value) =
        (serde_json::from_str(&answer).unwrap(), solved("task-scheduling", TASKS, &[]));
    assert_eq!((&answer["count"], &answer["names"]), (&expected["count"], &expected["names"]));
    // Written by pandas: to_json(orient="records", lines=True, date_format="iso").
    let talks = "{\"activity\":\"A\",\"start\":\"2024-01-01T10:00:00.000\",\"finish\":\"2024-01-01T11:00:00.000\"}\n\
        {\"activity\":\"B\",\"start\":\"2024-01-01T10:30:00.000\",\"finish\":\"2024-01-01T11:30:00.000\"}\n";
    let (code, answer, error) = tiebreak("x.jsonl", talks, &["count", "x.jsonl", "-a", "activity-selection"]);
    assert!(code == 0 && answer.starts_with("2 solutions"), "{answer}{error}");
    for (line, complaint) in [
        ("{\"task\":\"read\",\"weight\":1}", "x.jsonl, line 2: the deadline is missing"),
        ("{\"task\":\"read\",\"deadline\":null,\"weight\":1}", "x.jsonl, line 2: the deadline is missing"),
        (
            "{\"task\":\"read\",\"deadline\":\"soon\",\"weight\":1}",
            "x.jsonl, line 2: the deadline 'soon' is not a number",
        ),
        (
            "{\"task\":\"read\",\"deadline\":[1],\"weight\":1}",
            "x.jsonl, line 2: `deadline` is neither a number nor a text",
        ),
        ("[1,2]", "x.jsonl, line 2: no JSON object"),
    ] {
        let file = format!("{{\"task\":\"wash\",\"deadline\":1,\"weight\":3}}\n{line}\n");
        let (code, _, error) = tiebreak("x.jsonl", &file, &solve);
        assert_eq!(code, 2, "{line}");
        assert!(error.contains(complaint), "{line}: {error}");
    }
}

#[test]
fn answers_are_indices_with_names_beside() {
    let answer = solved("task-scheduling", TASKS, &["--require", "cook", "--avoid", "sing"]);
    assert_eq!(answer["count"], "1", "{answer}");
    assert_eq!(answer["solutions"][0]["selected"], serde_json::json!([1, 2]));
    assert_eq!(answer["solutions"][0]["selected_names"], serde_json::json!(["cook", "read"]));
    assert!(answer["solutions"][0]["origin"].is_string());
    assert_eq!(answer["shared_items"], serde_json::json!([1, 2]));
    let (code, text, _) = tiebreak("x.csv", TASKS, &["solve", "x.csv", "-a", "task-scheduling"]);
    assert_eq!(code, 0);
    assert!(
        text.contains("4 of 4 solutions (task-scheduling, 4 tasks)") && text.contains("all solutions share 0 tasks"),
        "{text}"
    );
    let both = ["solve", "x.csv", "-a", "task-scheduling", "--require", "cook", "--require", "wash"];
    let (code, text, _) = tiebreak("x.csv", TASKS, &both);
    assert_eq!((code, text.lines().next()), (1, Some("no solution meets all demands together")), "{text}");
    let three = format!("{TASKS}rest,9,1\n");
    let (code, text, _) = tiebreak("x.csv", &three, &["solve", "x.csv", "-a", "task-scheduling", "--avoid", "rest"]);
    assert_eq!((code, text.lines().next()), (1, Some("no solution avoids rest: every solution has it")), "{text}");
}

#[test]
fn activities_have_numbers_dates_or_times_of_day() {
    for (table, count) in [
        ("activity,start,finish\na,1,2\nb,1.5,2.5\nc,2.5,4\n", "2"),
        ("activity,start,finish\na,9:00,10:00\nb,9:30,10:30\nc,10:30,24:00\n", "2"),
        ("activity,begin,end\na,2026-03-01,2026-03-02\nb,2026-03-01,2026-03-03\nc,2026-03-03,2026-03-09\n", "2"),
        ("activity,from,to\na,2026-03-01T09:00+01:00,2026-03-01T08:30Z\nb,2026-03-01T08:30Z,2026-03-01T09:30Z\n", "1"),
        // As pandas writes a table with its index and columns of datetimes, some of them midnights.
        (
            ",activity,start,finish\n0,a,2026-03-01 09:00:00,2026-03-01 10:00:00.500\n1,b,2026-03-01 09:30:00,2026-03-02\n",
            "2",
        ),
    ] {
        assert_eq!(solved("activity-selection", table, &[])["count"], count, "{table}");
    }
    let twice = "what,start,finish\nmeeting,1,2\nmeeting,2,3\n";
    let answer = solved("activity-selection", twice, &["--require", "meeting (2)"]);
    assert_eq!(answer["names"], serde_json::json!(["meeting", "meeting (2)"]));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_value() {
    let (tasks, activities) = ("task-scheduling", "activity-selection");
    for (algorithm, table, message) in [
        (
            tasks,
            "task,deadline,weight\na,1,2\nb,0,2\n",
            "x.csv, line 3: task 'b': the deadline 0 is not a whole number",
        ),
        (tasks, "task,deadline,weight\na,1.5,2\n", "line 2: task 'a': the deadline 1.5 is not a whole number"),
        (tasks, "task,deadline,weight\na,1,0\n", "line 2: task 'a': the weight 0 is not positive"),
        (tasks, "task,deadline,weight\na,1,2\nb,x,2\n", "x.csv, line 3: the deadline 'x' is not a number"),
        (tasks, "task,deadline,weight\na,1,2\nb,1\n", "x.csv, line 3: the weight is missing"),
        (tasks, "task,deadline,weight\na,1,2,3\n", "x.csv, line 2: 4 columns, but the first line has 3"),
        (tasks, "task,deadline,weight\na,2026-01-01,2\n", "line 2: the deadline '2026-01-01' is not a number"),
        (tasks, "task,deadline,weight\n", "there are no tasks in the file"),
        (tasks, "a,b,c,d\nx,1,2,3\n", "which columns are"),
        (activities, "activity,start,finish\na,2,1\n", "line 2: activity 'a': it starts at 2 and finishes at 1"),
        (
            activities,
            "activity,start,finish\na,1,2\nb,9:00,10:00\n",
            "line 3: the start '9:00' is a time of day, but on line 2 there is a number",
        ),
        (
            activities,
            "activity,start,finish\na,2026-02-29,2026-03-01\n",
            "'2026-02-29' is not a number, a date or a time",
        ),
    ] {
        let (code, output, error) = tiebreak("x.csv", table, &["solve", "x.csv", "-a", algorithm]);
        assert_eq!((code, output.as_str()), (2, ""), "{table}: {error}");
        assert!(error.contains(message), "{table}: {error}");
    }
    let (code, _, error) = tiebreak("x.csv", TASKS, &["solve", "x.csv", "-a", "task-scheduling", "--avoid", "cok"]);
    assert!(code == 2 && error.contains("did you mean 'cook'?"), "{error}");
    let (code, _, error) =
        tiebreak("x.csv", TASKS, &["solve", "x.csv", "-a", "task-scheduling", "--before", "cook,wash"]);
    assert!(code == 2 && error.contains("only orders"), "{error}");
}

#[test]
fn cases_of_items_are_verdicts_or_errors() {
    let verdict = |line: &str| {
        let (code, output, error) = tiebreak("x.jsonl", line, &["verify", "x.jsonl", "-a", "task-scheduling"]);
        (code, output + &error)
    };
    assert_eq!(verdict(r#"{"tasks":[[1,2],[1,1.5]],"selected":[0]}"#).0, 0);
    for (line, said) in [
        (r#"{"tasks":[[1,2],[1,1.5]],"selected":[1]}"#, r#""exchange":{"in":0,"out":1}"#),
        (r#"{"tasks":[[1,2],[1,1.5]],"selected":[]}"#, r#""exchange":{"in":0}"#),
        (r#"{"tasks":[[1,2],[1,1.5]],"selected":[0,1]}"#, r#""rule":"in-time","items":[0,1]"#),
        (r#"{"tasks":[[1,2],[1,1.5]],"selected":[0,0]}"#, r#""rule":"chosen-once","items":[0]"#),
    ] {
        let (code, output) = verdict(line);
        assert!(code == 1 && output.contains(said), "{line}: {output}");
    }
    for (line, said) in [
        (r#"{"tasks":[[1,2]],"selected":[1]}"#, "number 1 is chosen, but there are 1"),
        (r#"{"tasks":[[1]],"selected":[]}"#, "task 0: 1 numbers, expected [deadline, weight]"),
        (r#"{"tasks":[[1,"x"]],"selected":[]}"#, "task 0: weight '\"x\"' is not"),
        (r#"{"tasks":[[1,2]]}"#, "there is no \"selected\" to verify"),
        (r#"{"n":1,"edges":[],"selected":[]}"#, "missing field `tasks`"),
    ] {
        let (code, output) = verdict(line);
        assert!(code == 2 && output.contains(said), "{line}: {output}");
    }
    // Several answers come back through `verify`, and a case is an instance for `solve`.
    let (code, lines, error) = tiebreak("x.csv", TASKS, &["solve", "x.csv", "-a", "task-scheduling", "--jsonl", "-"]);
    assert_eq!((code, lines.lines().count()), (0, 4), "{error}");
    assert_eq!(verdict(&lines).0, 0);
    let one = lines.lines().next().unwrap();
    let (code, text, error) = tiebreak("y.jsonl", one, &["solve", "y.jsonl", "-a", "task-scheduling"]);
    assert!(code == 0 && text.contains("4 of 4"), "{text}{error}");
}
