//! Items: a table of things with a few exact numbers each, for problems that have no graph.

use super::{Decimal, Weight};
use thiserror::Error;

/// What items are called, and which numbers each of them has.
#[derive(Debug, PartialEq, Eq)]
pub struct ItemKind {
    /// One of them: "task".
    pub one: &'static str,
    /// Several of them, also their key in JSON: "tasks".
    pub many: &'static str,
    /// The numbers of an item, in order.
    pub columns: &'static [ItemColumn],
    /// True when the numbers are points in time, which people write as dates, too.
    pub times: bool,
}

impl ItemKind {
    /// Which of the numbers is the weight, where there is one.
    pub fn weight(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.name == "weight")
    }
}

/// One number of each item.
#[derive(Debug, PartialEq, Eq)]
pub struct ItemColumn {
    /// Its name: "deadline".
    pub name: &'static str,
    /// Other words under which it stands in people's tables.
    pub also: &'static [&'static str],
}

/// Items with their numbers: whole multiples of one power of ten, so that numbers are compared and added exactly.
///
/// ```
/// use tiebreak::instance::{Decimal, ItemColumn, ItemKind, Items};
/// const COLUMNS: &[ItemColumn] = &[ItemColumn { name: "price", also: &[] }, ItemColumn { name: "size", also: &["volume"] }];
/// static GOODS: ItemKind = ItemKind { one: "good", many: "goods", columns: COLUMNS, times: false };
/// let decimal = |text: &str| text.parse::<Decimal>().unwrap();
/// let items = Items::new(&GOODS, vec![vec![decimal("1"), decimal("2")], vec![decimal("0.5"), decimal("3")]]).unwrap();
/// assert_eq!((items.len(), items.column(1)), (2, &[5, 30][..]));
/// assert_eq!(items.decimal(0, 1).to_string(), "2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Items {
    kind: &'static ItemKind,
    columns: Vec<Vec<Weight>>,
    decimals: u32,
}

/// Numbers so large and so fine at once that they cannot be held exactly.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{kind} {item}: with {decimals} decimals (needed elsewhere) the {column} {value} is too large to be exact")]
pub struct ItemTooLarge {
    /// What the items are.
    pub kind: &'static str,
    /// Which item.
    pub item: usize,
    /// Which of its numbers.
    pub column: &'static str,
    /// The number.
    pub value: Decimal,
    /// The decimals of all numbers.
    pub decimals: u32,
}

impl Items {
    /// Items with their numbers, column by column.
    ///
    /// # Panics
    /// If there are not as many columns as the kind has, all of one length.
    pub fn new(kind: &'static ItemKind, columns: Vec<Vec<Decimal>>) -> Result<Self, ItemTooLarge> {
        assert_eq!(columns.len(), kind.columns.len(), "a column for each number");
        let count = columns[0].len();
        assert!(columns.iter().all(|column| column.len() == count), "each item has each number");
        let decimals = columns.iter().flatten().map(|value| value.decimals()).max().unwrap_or(0);
        let largest = (Weight::MAX / (count as Weight + 1)).unsigned_abs();
        let scaled = |(place, column): (usize, Vec<Decimal>)| {
            let number = |(item, value): (usize, Decimal)| {
                let fits = value.at_scale(decimals).filter(|number| number.unsigned_abs() <= largest);
                let (kind, column) = (kind.one, kind.columns[place].name);
                fits.ok_or(ItemTooLarge { kind, item, column, value, decimals })
            };
            column.into_iter().enumerate().map(number).collect()
        };
        let columns = columns.into_iter().enumerate().map(scaled).collect::<Result<_, _>>()?;
        Ok(Items { kind, columns, decimals })
    }

    /// What they are.
    pub fn kind(&self) -> &'static ItemKind {
        self.kind
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number of each item, in units of `10^-decimals`.
    pub fn column(&self, column: usize) -> &[Weight] {
        &self.columns[column]
    }

    /// How many digits after the point the numbers have at the most.
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    /// A number of an item as the decimal that it stands for.
    pub fn decimal(&self, column: usize, item: usize) -> Decimal {
        Decimal::scaled(self.columns[column][item], self.decimals)
    }

    /// The same items with other weights, whole numbers.
    ///
    /// # Panics
    /// If items of this kind have no weight, or there is not one for each.
    pub fn with_weights(&self, weights: &[Weight]) -> Result<Self, ItemTooLarge> {
        let mut columns: Vec<Vec<Decimal>> = (0..self.columns.len())
            .map(|column| (0..self.len()).map(|item| self.decimal(column, item)).collect())
            .collect();
        let place = self.kind.weight().expect("items of this kind have a weight");
        columns[place] = weights.iter().map(|&weight| Decimal::scaled(weight, 0)).collect();
        Items::new(self.kind, columns)
    }

    /// The same items under other labels: item i is called `label[i]`.
    pub(super) fn relabelled(&self, label: &[usize]) -> Self {
        let rename = |column: &Vec<Weight>| {
            let mut renamed = vec![0; column.len()];
            column.iter().zip(label).for_each(|(&number, &label)| renamed[label] = number);
            renamed
        };
        Items { kind: self.kind, columns: self.columns.iter().map(rename).collect(), decimals: self.decimals }
    }
}
